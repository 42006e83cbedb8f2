// Package profile keeps what each phase and pass of a frame took, in one table in
// frame order, and reports it.
//
// # Concept
//
// A frame is a list of samples: the processor's phases and the recording of each
// pass, the device's passes and the gaps between, and the frame as a whole. A
// Table collects them by row over many frames. No time is in two rows: on a
// device that is measured serialised, all rows but the whole add up to the frame,
// and the row "other" is what no other names. Overlapped, the processor's rows
// add up to the frame and the device's run beside them.
//
// A Report is a table's figures with what is needed to judge them: the device,
// the mode, whether the figures can be trusted. It is what the command profile
// prints, and its JSON.
//
// # Example
//
//	table := profile.Keeping(100)
//	table.Add([]profile.Sample{
//		{Name: "animation", Kind: profile.CPU, Seconds: 0.001},
//		{Name: "geometry", Kind: profile.GPU, Seconds: 0.004, Draws: 12, Triangles: 4096},
//		{Name: "frame", Kind: profile.Whole, Seconds: 0.005},
//	})
//	report := table.Report()
//	err := report.Text(os.Stdout)
//
// # Cost
//
// Adding a frame is a map look-up a row and no garbage once each row has been
// seen. A row keeps 8 bytes a frame.
package profile
