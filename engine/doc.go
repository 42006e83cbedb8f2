// Package engine is the frame loop: it moves a scene on and draws it, frame by
// frame, into a window or into memory.
//
// # Concept
//
// An [Engine] owns a [scene.Scene], the device, and the passes of the frame.
// frame.go is the frame, in order: scripts, physics, animation, panels and the
// upload of palettes on the processor, then the passes on the device. All are
// nodes of one frame graph, which is declared anew each frame and compiled only
// when its structure changes.
//
// A program fills the scene and calls [Engine.Run] with a window, or
// [Engine.Frame] where it wants each frame itself:
//
//	e, err := engine.New(engine.Options{Title: "Fox"})
//	if err != nil {
//		return err // one sentence that says what to install
//	}
//	defer e.Close()
//	fox := e.Scene.SpawnModel("fox", model, nil)
//	err = fox.Animator.PlayName("Run", 0)
//	e.Scene.Camera = e.Scene.Spawn("camera", nil)
//	e.Scene.Camera.LookAt(eye, target)
//	return e.Run()
//
// # What there is to set
//
//   - [Options]: the window or headless, its size, validation, how passes are
//     submitted, parts of the frame-graph compiler, and who is told of warnings.
//   - [scene.Scene]: entities and their components (a light's Shadows lets it
//     cast them), Environment (sun, sky, shadows, exposure, a picture around),
//     Camera.
//   - [Engine.Show]: colliders, skeletons, antialiasing.
//   - [Engine.AddPass]: a pass of the program's own, behind one of the engine's;
//     [Engine.Images] are the images of the frame, [Engine.Graph] makes others.
//   - [Engine.Panels] builds the GUI, [Engine.OnInput] hears of input, and
//     [Engine.BeforeFrame] runs before each frame of Run.
//   - [Engine.FixedStep] and [Engine.FrameLimit]: frames that do not follow the
//     clock, or end.
//   - [Engine.Profile], [Engine.Report] and [Engine.Plan]: what the frame took,
//     and what the graph made of it.
//   - [Engine.WatchShaders], Options.Shaders and BINDPOSE_SHADERS: folders whose
//     shaders are compiled and taken up while the program runs.
//   - [Engine.WatchProgram]: the program is built anew when its Go files change,
//     and goes on in the new one.
//   - Options.Queues and BINDPOSE_QUEUES: on which queues passes may run.
//   - BINDPOSE_DEVICE chooses the device by index or part of its name;
//     BINDPOSE_VALIDATE=1 turns the validation layers on.
//
// # Cost
//
// A steady frame allocates nothing on the Go heap, the program's own scripts and
// panels aside. Declaring and compiling it takes a few microseconds.
package engine
