package gui

// #include "shim.h"
import "C"

// Tooltip shows text beside the mouse while the last item is hovered.
func (c *Context) Tooltip(text string) { C.bp_tooltip(c.g, ptr(text), size(text)) }

// BeginTooltip opens a tooltip that the caller fills; call EndTooltip.
func (c *Context) BeginTooltip() { C.bp_begin_tooltip(c.g) }

// EndTooltip ends BeginTooltip.
func (c *Context) EndTooltip() { C.bp_end_tooltip(c.g) }

// BeginMainMenuBar opens the bar along the top of the screen. If true, call
// EndMainMenuBar.
func (c *Context) BeginMainMenuBar() bool { return bool(C.bp_begin_main_menu(c.g)) }

// EndMainMenuBar ends the bar.
func (c *Context) EndMainMenuBar() { C.bp_end_main_menu(c.g) }

// BeginMenuBar opens the bar of a window that has the flag MenuBar. If true,
// call EndMenuBar.
func (c *Context) BeginMenuBar() bool { return bool(C.bp_begin_menu_bar(c.g)) }

// EndMenuBar ends the bar.
func (c *Context) EndMenuBar() { C.bp_end_menu_bar(c.g) }

// BeginMenu opens a menu in a bar or another menu. If true, call EndMenu.
func (c *Context) BeginMenu(label string) bool {
	return bool(C.bp_begin_menu(c.g, ptr(label), size(label), true))
}

// EndMenu ends BeginMenu.
func (c *Context) EndMenu() { C.bp_end_menu(c.g) }

// MenuItem reports a click. keys is the shortcut that it shows; it does not
// listen for it.
func (c *Context) MenuItem(label, keys string, checked, enabled bool) bool {
	return bool(C.bp_menu_item(c.g, ptr(label), size(label), ptr(keys), size(keys), C.bool(checked), C.bool(enabled)))
}

// OpenPopup opens the popup or modal of this id, within the same PushID scope.
func (c *Context) OpenPopup(id string) { C.bp_open_popup(c.g, ptr(id), size(id)) }

// BeginPopup reports whether the popup is open; if so, call EndPopup.
func (c *Context) BeginPopup(id string) bool { return bool(C.bp_begin_popup(c.g, ptr(id), size(id))) }

// BeginContextPopup is BeginPopup that a right click on the last item opens.
func (c *Context) BeginContextPopup(id string) bool {
	return bool(C.bp_begin_context_popup(c.g, ptr(id), size(id)))
}

// BeginModal is BeginPopup that keeps the mouse from everything else. open,
// unless nil, adds a close button.
func (c *Context) BeginModal(title string, open *bool, flags WindowFlags) bool {
	return bool(C.bp_begin_modal(c.g, ptr(title), size(title), cbool(open), C.int32_t(flags)))
}

// EndPopup ends BeginPopup, BeginContextPopup or BeginModal.
func (c *Context) EndPopup() { C.bp_end_popup(c.g) }

// ClosePopup closes the popup in which it is called.
func (c *Context) ClosePopup() { C.bp_close_popup(c.g) }

// BeginTabBar opens a row of tabs. If true, call EndTabBar.
func (c *Context) BeginTabBar(id string) bool {
	return bool(C.bp_begin_tab_bar(c.g, ptr(id), size(id)))
}

// EndTabBar ends the row of tabs.
func (c *Context) EndTabBar() { C.bp_end_tab_bar(c.g) }

// BeginTab reports whether its tab is the chosen one; if so, call EndTab.
func (c *Context) BeginTab(label string) bool {
	return bool(C.bp_begin_tab(c.g, ptr(label), size(label)))
}

// EndTab ends BeginTab.
func (c *Context) EndTab() { C.bp_end_tab(c.g) }
