package framegraph

// queues decides where each pass is submitted: everything to the graphics queue, which can do all of it. So barriers need
// no ownership transfers and steps no semaphores. Asynchronous queues are to be chosen here, from the same edges.
func (e *entry) queues() {
	e.queueOf = sized(e.queueOf, len(e.sequence)) // zero is GraphicsQueue
}
