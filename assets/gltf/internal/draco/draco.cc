#include "draco.h"

#include <memory>

#include <draco/compression/config/compression_shared.h>
#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>

struct draco_mesh {
	std::unique_ptr<draco::Mesh> mesh;
};

namespace {

// A count is a varint since bitstream 2.2 and 32 bits before.
bool count(draco::DecoderBuffer *b, uint16_t version, uint64_t *out) {
	uint32_t n = 0;
	bool ok = version < DRACO_BITSTREAM_VERSION(2, 2) ? b->Decode(&n) : draco::DecodeVarint(&n, b);
	*out = n;
	return ok;
}

template <typename T>
bool copy(const draco::Mesh &mesh, const draco::PointAttribute &a, T *out) {
	const int n = a.num_components();
	for (draco::PointIndex p(0); p < mesh.num_points(); ++p, out += n) {
		if (!a.ConvertValue<T>(a.mapped_index(p), int8_t(n), out)) return false;
	}
	return true;
}

}  // namespace

extern "C" {

int bp_draco_sizes(const uint8_t *packed, size_t n, draco_sizes *out) {
	try {
		draco::DecoderBuffer b;
		b.Init(reinterpret_cast<const char *>(packed), n);
		draco::DracoHeader h;
		if (!draco::PointCloudDecoder::DecodeHeader(&b, &h).ok()) return 1;
		if (h.encoder_type != draco::TRIANGULAR_MESH) return 1;
		const uint16_t version = DRACO_BITSTREAM_VERSION(h.version_major, h.version_minor);
		b.set_bitstream_version(version);
		if (h.flags & METADATA_FLAG_MASK) return 2;  // meshes of glTF have none
		if (h.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) {
			return count(&b, version, &out->faces) && count(&b, version, &out->points) ? 0 : 1;
		}
		uint8_t traversal;
		uint64_t ignored;
		if (!b.Decode(&traversal)) return 1;
		if (version < DRACO_BITSTREAM_VERSION(2, 2) && !count(&b, version, &ignored)) return 1;
		if (!count(&b, version, &out->points) || !count(&b, version, &out->faces)) return 1;
		// A vertex has a point for each of its seams, at most one a corner.
		out->points = out->points > 3 * out->faces ? out->points : 3 * out->faces;
		return 0;
	} catch (...) {
		return 1;
	}
}

draco_mesh *bp_draco_open(const uint8_t *packed, size_t n) {
	try {
		draco::DecoderBuffer b;
		b.Init(reinterpret_cast<const char *>(packed), n);
		draco::Decoder decoder;
		auto mesh = decoder.DecodeMeshFromBuffer(&b);
		if (!mesh.ok()) return nullptr;
		return new draco_mesh{std::move(mesh).value()};
	} catch (...) {
		return nullptr;
	}
}

void bp_draco_close(draco_mesh *mesh) { delete mesh; }
uint64_t bp_draco_faces(const draco_mesh *mesh) { return mesh->mesh->num_faces(); }
uint64_t bp_draco_points(const draco_mesh *mesh) { return mesh->mesh->num_points(); }

void bp_draco_indices(const draco_mesh *mesh, uint32_t *out) {
	for (draco::FaceIndex f(0); f < mesh->mesh->num_faces(); ++f) {
		for (const auto &corner : mesh->mesh->face(f)) *out++ = corner.value();
	}
}

int bp_draco_components(const draco_mesh *mesh, uint32_t id) {
	const auto *a = mesh->mesh->GetAttributeByUniqueId(id);
	return a ? a->num_components() : 0;
}

int bp_draco_attribute(const draco_mesh *mesh, uint32_t id, int gl, void *out, size_t size) {
	try {
		const auto *a = mesh->mesh->GetAttributeByUniqueId(id);
		if (!a) return 1;
		const size_t n = size_t(mesh->mesh->num_points()) * a->num_components();
		switch (gl) {
		case 5120: return size != n || !copy(*mesh->mesh, *a, static_cast<int8_t *>(out));
		case 5121: return size != n || !copy(*mesh->mesh, *a, static_cast<uint8_t *>(out));
		case 5122: return size != 2 * n || !copy(*mesh->mesh, *a, static_cast<int16_t *>(out));
		case 5123: return size != 2 * n || !copy(*mesh->mesh, *a, static_cast<uint16_t *>(out));
		case 5125: return size != 4 * n || !copy(*mesh->mesh, *a, static_cast<uint32_t *>(out));
		case 5126: return size != 4 * n || !copy(*mesh->mesh, *a, static_cast<float *>(out));
		}
		return 1;
	} catch (...) {
		return 1;
	}
}

}  // extern "C"
