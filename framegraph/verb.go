package framegraph

// verb is how a pass accesses a resource.
type verb uint8

const (
	verbSample verb = iota
	verbStorageRead
	verbStorageReadImage
	verbStorageWrite
	verbStorageWriteImage
	verbUniformRead
	verbVertexRead
	verbIndexRead
	verbIndirectRead
	verbColorAttachment
	verbDepthAttachment
	verbDepthReadOnly
	verbResolve
	verbTransferRead
	verbTransferReadImage
	verbTransferWrite
	verbTransferWriteImage
	verbHostRead
	verbHostWrite
	verbHostReadBuffer
	verbHostWriteBuffer
	verbPresent
	verbCount
)

// verbs is what each verb means to Vulkan, and where it may stand.
var verbs = [verbCount]struct {
	name        string
	fixed       Stage // where the verb itself names the stage
	access      Access
	layout      Layout
	imageUsage  ImageUsage
	bufferUsage BufferUsage
	kinds       uint8 // kinds of pass, one bit each
}{
	verbSample:             {"Sample", 0, AccessSampledRead, LayoutReadOnly, UsageSampled, 0, inShaders},
	verbStorageRead:        {"StorageRead", 0, AccessStorageRead, 0, 0, BufferStorage, inShaders},
	verbStorageReadImage:   {"StorageReadImage", 0, AccessStorageRead, LayoutGeneral, UsageStorage, 0, inShaders},
	verbStorageWrite:       {"StorageWrite", 0, AccessStorageWrite, 0, 0, BufferStorage, inShaders},
	verbStorageWriteImage:  {"StorageWriteImage", 0, AccessStorageWrite, LayoutGeneral, UsageStorage, 0, inShaders},
	verbUniformRead:        {"UniformRead", 0, AccessUniformRead, 0, 0, BufferUniform, inShaders},
	verbVertexRead:         {"VertexRead", VertexAttributeInput, AccessVertexRead, 0, 0, BufferVertex, inGraphics},
	verbIndexRead:          {"IndexRead", IndexInput, AccessIndexRead, 0, 0, BufferIndex, inGraphics},
	verbIndirectRead:       {"IndirectRead", DrawIndirect, AccessIndirectRead, 0, 0, BufferIndirect, inShaders},
	verbColorAttachment:    {"ColorAttachment", ColorOutput, AccessColorRead | AccessColorWrite, LayoutAttachment, UsageColorAttachment, 0, inGraphics},
	verbDepthAttachment:    {"DepthAttachment", depthStages, AccessDepthRead | AccessDepthWrite, LayoutAttachment, UsageDepthAttachment, 0, inGraphics},
	verbDepthReadOnly:      {"DepthReadOnly", depthStages, AccessDepthRead, LayoutReadOnly, UsageDepthAttachment, 0, inGraphics},
	verbResolve:            {"Resolve", ColorOutput, AccessColorWrite, LayoutAttachment, UsageColorAttachment, 0, inGraphics},
	verbTransferRead:       {"TransferRead", AllTransfer, AccessTransferRead, 0, 0, BufferTransferSrc, inPasses},
	verbTransferReadImage:  {"TransferReadImage", AllTransfer, AccessTransferRead, LayoutTransferSrc, UsageTransferSrc, 0, inPasses},
	verbTransferWrite:      {"TransferWrite", AllTransfer, AccessTransferWrite, 0, 0, BufferTransferDst, inPasses},
	verbTransferWriteImage: {"TransferWriteImage", AllTransfer, AccessTransferWrite, LayoutTransferDst, UsageTransferDst, 0, inPasses},
	verbHostRead:           {"HostRead", HostStage, AccessHostRead, 0, 0, 0, inPasses | inPhases},
	verbHostWrite:          {"HostWrite", HostStage, AccessHostWrite, 0, 0, 0, inPhases},
	verbHostReadBuffer:     {"HostReadBuffer", HostStage, AccessHostRead, 0, 0, 0, inPasses},
	verbHostWriteBuffer:    {"HostWriteBuffer", HostStage, AccessHostWrite, 0, 0, 0, inPhases},
	verbPresent:            {"Present", 0, 0, LayoutPresent, 0, 0, inPasses},
}

const (
	inPhases   = 1 << Phase
	inGraphics = 1 << Graphics
	inShaders  = 1<<Graphics | 1<<Compute
	inPasses   = 1<<Graphics | 1<<Compute | 1<<Transfer

	depthStages = EarlyFragmentTests | LateFragmentTests
)

func (v verb) String() string {
	if v < verbCount {
		return verbs[v].name
	}
	return "access"
}

func (v verb) attachment() bool {
	return v == verbColorAttachment || v == verbDepthAttachment || v == verbDepthReadOnly || v == verbResolve
}

func (v verb) shader() bool {
	switch v {
	case verbSample, verbStorageRead, verbStorageReadImage, verbStorageWrite, verbStorageWriteImage, verbUniformRead:
		return true
	}
	return false
}

func (v verb) storage() bool {
	switch v {
	case verbStorageRead, verbStorageReadImage, verbStorageWrite, verbStorageWriteImage:
		return true
	}
	return false
}

func (v verb) transfer() bool {
	switch v {
	case verbTransferRead, verbTransferReadImage, verbTransferWrite, verbTransferWriteImage:
		return true
	}
	return false
}
