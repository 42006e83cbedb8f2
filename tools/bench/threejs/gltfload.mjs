// Times three.js's GLTFLoader, from a file to a scene with its clips. Run by tools/bench:
//
//	node gltfload.mjs SECONDS FILE…
//
// prints a line of JSON a file: {"file", "loads", "ms"}, the mean of a load over so many seconds, after a warm-up of
// half as long. What the file says of textures is taken out beforehand, so no picture is decoded; the bytes of its
// buffers stay. One loader reads every file.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

globalThis.self = globalThis; // the loader looks for its page's window
globalThis.ProgressEvent ??= class extends Event {
	constructor(type, init) { super(type); Object.assign(this, init); }
};
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const glbMagic = 0x46546c67, jsonChunk = 0x4e4f534a;

// withoutTextures returns the file's bytes with no image, texture or sampler in them.
function withoutTextures(bytes) {
	const glb = bytes.readUInt32LE(0) === glbMagic;
	const end = glb ? 20 + bytes.readUInt32LE(12) : bytes.length;
	if (glb && bytes.readUInt32LE(16) !== jsonChunk) throw new Error('the first chunk is not JSON');
	const doc = JSON.parse(bytes.toString('utf8', glb ? 20 : 0, end));
	delete doc.images; delete doc.textures; delete doc.samplers;
	const strip = (o) => {
		for (const key of Object.keys(o)) {
			if (/Texture$/.test(key)) delete o[key];
			else if (o[key] && typeof o[key] === 'object') strip(o[key]);
		}
	};
	(doc.materials ?? []).forEach(strip);
	let json = Buffer.from(JSON.stringify(doc));
	if (!glb) return json;
	json = Buffer.concat([json, Buffer.alloc(-json.length & 3, ' ')]);
	const head = Buffer.from(bytes.subarray(0, 20));
	head.writeUInt32LE(20 + json.length + bytes.length - end, 8);
	head.writeUInt32LE(json.length, 12);
	return Buffer.concat([head, json, bytes.subarray(end)]);
}

const loader = new GLTFLoader();

async function load(file) {
	const b = fs.readFileSync(file);
	const whole = b.byteOffset === 0 && b.byteLength === b.buffer.byteLength;
	const model = await loader.parseAsync(whole ? b.buffer : b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength), '');
	if (!model.scene.children.length) throw new Error(file + ': the scene is empty');
}

async function loadFor(file, seconds) {
	const start = performance.now();
	for (let loads = 1; ; loads++) {
		await load(file);
		const ms = performance.now() - start;
		if (ms >= 1000 * seconds) return { loads, ms: ms / loads };
	}
}

const [seconds, ...files] = process.argv.slice(2);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bindpose-gltf-load-'));
try {
	for (const file of files) {
		const bare = path.join(dir, path.basename(file));
		fs.writeFileSync(bare, withoutTextures(fs.readFileSync(file)));
		await loadFor(bare, seconds / 2);
		console.log(JSON.stringify({ file, ...await loadFor(bare, +seconds) }));
	}
} finally {
	fs.rmSync(dir, { recursive: true });
}
