// Package ground puts feet on the ground by what is measured on the skinned mesh.
package ground
