package main

import "github.com/spf13/cobra"

func newInspect() *cobra.Command { return &cobra.Command{Use: "inspect"} }
func newProfile() *cobra.Command { return &cobra.Command{Use: "profile"} }
func newGraph() *cobra.Command   { return &cobra.Command{Use: "graph"} }
