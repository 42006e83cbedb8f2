package main

import (
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watcher notices that files change. It watches their folders, since many
// programs save by replacing the file.
type watcher struct {
	notify *fsnotify.Watcher
	files  map[string]bool
	due    time.Time // when a change has been quiet long enough; zero: none
}

// quiet is how long a file must stay unchanged before it is read, so that it is
// not read half written.
const quiet = 200 * time.Millisecond

// watch watches files. Where the system cannot, nothing is noticed and that is
// told.
func watch(files []string) *watcher {
	w := &watcher{files: map[string]bool{}}
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		warnToStderr("files are not watched: " + err.Error())
		return w
	}
	for _, f := range files {
		if inside, err := modelIn(f); err == nil {
			f = fileOf(inside)
		}
		abs, err := filepath.Abs(f)
		if err == nil {
			err = w.notify.Add(filepath.Dir(abs))
		}
		if err != nil {
			warnToStderr(f + " is not watched: " + err.Error())
			continue
		}
		w.files[abs] = true
	}
	return w
}

// changed reports, once, that a file has changed and been quiet since.
func (w *watcher) changed(now time.Time) bool {
	if w == nil || w.notify == nil {
		return false
	}
	for {
		select {
		case e := <-w.notify.Events:
			if w.files[e.Name] && !e.Has(fsnotify.Chmod) {
				w.due = now.Add(quiet)
			}
			continue
		case err := <-w.notify.Errors:
			if err != nil {
				warnToStderr("watching files: " + err.Error())
			}
			continue
		default:
		}
		break
	}
	if w.due.IsZero() || now.Before(w.due) {
		return false
	}
	w.due = time.Time{}
	return true
}

func (w *watcher) close() {
	if w != nil && w.notify != nil {
		_ = w.notify.Close() // nothing is lost with it
		w.notify = nil
	}
}
