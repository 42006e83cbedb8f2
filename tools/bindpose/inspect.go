package main

import "github.com/spf13/cobra"

func newInspect() *cobra.Command { return &cobra.Command{Use: "inspect"} }
func newDemo() *cobra.Command    { return &cobra.Command{Use: "demo"} }
