//go:build !purego

#include "textflag.h"

// Four times each: sign bit, 1, the limit of 1-cos of slerpQuats, 0.5, 0.375,
// and the limit of d² of unit.
DATA consts<>+0x00(SB)/4, $0x80000000
DATA consts<>+0x04(SB)/4, $0x80000000
DATA consts<>+0x08(SB)/4, $0x80000000
DATA consts<>+0x0c(SB)/4, $0x80000000
DATA consts<>+0x10(SB)/4, $1.0
DATA consts<>+0x14(SB)/4, $1.0
DATA consts<>+0x18(SB)/4, $1.0
DATA consts<>+0x1c(SB)/4, $1.0
DATA consts<>+0x20(SB)/4, $0.03
DATA consts<>+0x24(SB)/4, $0.03
DATA consts<>+0x28(SB)/4, $0.03
DATA consts<>+0x2c(SB)/4, $0.03
DATA consts<>+0x30(SB)/4, $0.5
DATA consts<>+0x34(SB)/4, $0.5
DATA consts<>+0x38(SB)/4, $0.5
DATA consts<>+0x3c(SB)/4, $0.5
DATA consts<>+0x40(SB)/4, $0.375
DATA consts<>+0x44(SB)/4, $0.375
DATA consts<>+0x48(SB)/4, $0.375
DATA consts<>+0x4c(SB)/4, $0.375
DATA consts<>+0x50(SB)/4, $1.0e-5
DATA consts<>+0x54(SB)/4, $1.0e-5
DATA consts<>+0x58(SB)/4, $1.0e-5
DATA consts<>+0x5c(SB)/4, $1.0e-5
GLOBL consts<>(SB), RODATA|NOPTR, $0x60

// The identity, column by column.
DATA ident<>+0x00(SB)/4, $1.0
DATA ident<>+0x14(SB)/4, $1.0
DATA ident<>+0x28(SB)/4, $1.0
DATA ident<>+0x3c(SB)/4, $1.0
GLOBL ident<>(SB), RODATA|NOPTR, $0x40

#define SIGN  consts<>+0x00(SB)
#define ONE   consts<>+0x10(SB)
#define NEAR  consts<>+0x20(SB)
#define HALF  consts<>+0x30(SB)
#define THREE_EIGHTHS consts<>+0x40(SB)
#define UNIT  consts<>+0x50(SB)

// func lerpVecs(row0, row1 *float32, u float32, at *int32, n int, local *Transform)
TEXT ·lerpVecs(SB), NOSPLIT, $0-48
	MOVQ   row0+0(FP), SI
	MOVQ   row1+8(FP), DI
	MOVSS  u+16(FP), X0
	SHUFPS $0, X0, X0
	MOVQ   at+24(FP), R8
	MOVQ   n+32(FP), CX
	MOVQ   local+40(FP), R9

vec:
	TESTQ   CX, CX
	JZ      vecsDone
	MOVUPS  (SI), X1
	MOVUPS  (DI), X2
	SUBPS   X1, X2
	MULPS   X0, X2
	ADDPS   X1, X2
	MOVLQSX (R8), AX
	MOVLPS  X2, (R9)(AX*1)
	MOVHLPS X2, X3
	MOVSS   X3, 8(R9)(AX*1)
	ADDQ    $16, SI
	ADDQ    $16, DI
	ADDQ    $4, R8
	DECQ    CX
	JMP     vec

vecsDone:
	RET

// SERIES leaves sinRatioNear of the four x in X10 in r; base is where its
// numbers lie in the slerpSeries at R10. It uses t.
#define SERIES(base, r, t) \
	MOVUPS base+0(R10), r   \
	MULPS  X10, r           \
	ADDPS  ONE, r           \
	MOVUPS base+16(R10), t  \
	MULPS  X10, t           \
	MULPS  r, t             \
	ADDPS  ONE, t           \
	MOVUPS base+32(R10), r  \
	MULPS  X10, r           \
	MULPS  t, r             \
	ADDPS  ONE, r           \
	MOVUPS base+48(R10), t  \
	MULPS  X10, t           \
	MULPS  r, t             \
	ADDPS  ONE, t           \
	MOVUPS base+64(R10), r  \
	MULPS  t, r

// func slerpQuats(row0, row1 *float32, s *slerpSeries, at *int32, blocks int, local *Transform) int
TEXT ·slerpQuats(SB), NOSPLIT, $0-56
	MOVQ row0+0(FP), SI
	MOVQ row1+8(FP), DI
	MOVQ s+16(FP), R10
	MOVQ at+24(FP), R8
	MOVQ blocks+32(FP), CX
	MOVQ local+40(FP), R9
	XORQ DX, DX

block:
	CMPQ DX, CX
	JGE  blocksDone

	// X0…X3: x, y, z, w of the first key; X4…X7: of the second.
	MOVUPS 0(SI), X0
	MOVUPS 16(SI), X1
	MOVUPS 32(SI), X2
	MOVUPS 48(SI), X3
	MOVUPS 0(DI), X4
	MOVUPS 16(DI), X5
	MOVUPS 32(DI), X6
	MOVUPS 48(DI), X7

	// X8: cos, made positive; X9: its sign.
	MOVAPS X0, X8
	MULPS  X4, X8
	MOVAPS X1, X9
	MULPS  X5, X9
	ADDPS  X9, X8
	MOVAPS X2, X9
	MULPS  X6, X9
	ADDPS  X9, X8
	MOVAPS X3, X9
	MULPS  X7, X9
	ADDPS  X9, X8
	MOVAPS X8, X9
	ANDPS  SIGN, X9
	XORPS  X9, X8

	// X10: x = 1-cos. A block with a turn that the short series is not for ends
	// the run.
	MOVAPS   ONE, X10
	SUBPS    X8, X10
	MOVAPS   X10, X11
	CMPPS    NEAR, X11, $1
	MOVMSKPS X11, AX
	CMPL     AX, $15
	JNE      blocksDone

	SERIES(0, X11, X12)
	SERIES(80, X13, X14)
	XORPS X9, X13

	MULPS X11, X0
	MULPS X13, X4
	ADDPS X4, X0
	MULPS X11, X1
	MULPS X13, X5
	ADDPS X5, X1
	MULPS X11, X2
	MULPS X13, X6
	ADDPS X6, X2
	MULPS X11, X3
	MULPS X13, X7
	ADDPS X7, X3

	// X8: d = length² - 1.
	MOVAPS X0, X8
	MULPS  X8, X8
	MOVAPS X1, X9
	MULPS  X9, X9
	ADDPS  X9, X8
	MOVAPS X2, X9
	MULPS  X9, X9
	ADDPS  X9, X8
	MOVAPS X3, X9
	MULPS  X9, X9
	ADDPS  X9, X8
	SUBPS  ONE, X8
	MOVAPS X8, X9
	MULPS  X9, X9
	CMPPS  UNIT, X9, $1
	MOVMSKPS X9, AX
	CMPL   AX, $15
	JNE    blocksDone

	// X9: 1 - d·(½ - ⅜·d)
	MOVAPS THREE_EIGHTHS, X10
	MULPS  X8, X10
	MOVAPS HALF, X11
	SUBPS  X10, X11
	MULPS  X8, X11
	MOVAPS ONE, X9
	SUBPS  X11, X9
	MULPS  X9, X0
	MULPS  X9, X1
	MULPS  X9, X2
	MULPS  X9, X3

	// From four of each component to w, x, y, z of each track.
	MOVAPS   X3, X4
	UNPCKLPS X0, X4      // w0 x0 w1 x1
	UNPCKHPS X0, X3      // w2 x2 w3 x3
	MOVAPS   X1, X5
	UNPCKLPS X2, X5      // y0 z0 y1 z1
	UNPCKHPS X2, X1      // y2 z2 y3 z3
	MOVAPS   X4, X6
	MOVLHPS  X5, X6      // w0 x0 y0 z0
	MOVHLPS  X4, X5      // w1 x1 y1 z1
	MOVAPS   X3, X7
	MOVLHPS  X1, X7      // w2 x2 y2 z2
	MOVHLPS  X3, X1      // w3 x3 y3 z3

	MOVLQSX 0(R8), AX
	MOVUPS  X6, (R9)(AX*1)
	MOVLQSX 4(R8), AX
	MOVUPS  X5, (R9)(AX*1)
	MOVLQSX 8(R8), AX
	MOVUPS  X7, (R9)(AX*1)
	MOVLQSX 12(R8), AX
	MOVUPS  X1, (R9)(AX*1)

	ADDQ $64, SI
	ADDQ $64, DI
	ADDQ $16, R8
	INCQ DX
	JMP  block

blocksDone:
	MOVQ DX, ret+48(FP)
	RET

// TRANSPOSE turns four rows into four columns; t and v are free.
#define TRANSPOSE(r0, r1, r2, r3, t, v) \
	MOVAPS   r0, t  \
	UNPCKLPS r1, r0 \
	UNPCKHPS r1, t  \
	MOVAPS   r2, v  \
	UNPCKLPS r3, r2 \
	UNPCKHPS r3, v  \
	MOVAPS   r0, r1 \
	MOVLHPS  r2, r0 \
	MOVHLPS  r1, r2 \
	MOVAPS   r2, r1 \
	MOVAPS   t, r2  \
	MOVLHPS  v, r2  \
	MOVHLPS  t, v   \
	MOVAPS   v, r3

// MIX stores (1-u)·a + u·b of the four floats at offset o; X14 = 1-u, X15 = u.
#define MIX(o) \
	MOVUPS o(SI), X12 \
	MULPS  X14, X12   \
	MOVUPS o(DI), X13 \
	MULPS  X15, X13   \
	ADDPS  X13, X12   \
	MOVUPS X12, o(R8)

// func lerpPoses(a, b, out *Transform, v, u float32, n int)
//
// Four transforms at a time; n is a multiple of four. Their rotations are read
// first, because out may be a or b. Translations are stored with the w beside
// them and scales with the z, and then the rotations over both.
TEXT ·lerpPoses(SB), NOSPLIT, $0-40
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   out+16(FP), R8
	MOVSS  v+24(FP), X14
	SHUFPS $0, X14, X14
	MOVSS  u+28(FP), X15
	SHUFPS $0, X15, X15
	MOVQ   n+32(FP), CX

four:
	SUBQ   $4, CX
	JLT    posesDone
	MOVUPS 12(SI), X0
	MOVUPS 52(SI), X1
	MOVUPS 92(SI), X2
	MOVUPS 132(SI), X3
	MOVUPS 12(DI), X4
	MOVUPS 52(DI), X5
	MOVUPS 92(DI), X6
	MOVUPS 132(DI), X7
	MIX(0)
	MIX(24)
	MIX(40)
	MIX(64)
	MIX(80)
	MIX(104)
	MIX(120)
	MIX(144)
	TRANSPOSE(X0, X1, X2, X3, X12, X13) // w, x, y, z
	TRANSPOSE(X4, X5, X6, X7, X12, X13)

	// X8: u with the sign of the rotations' dot product.
	MOVAPS X0, X8
	MULPS  X4, X8
	MOVAPS X1, X9
	MULPS  X5, X9
	ADDPS  X9, X8
	MOVAPS X2, X9
	MULPS  X6, X9
	ADDPS  X9, X8
	MOVAPS X3, X9
	MULPS  X7, X9
	ADDPS  X9, X8
	ANDPS  SIGN, X8
	XORPS  X15, X8

	MULPS X14, X0
	MULPS X8, X4
	ADDPS X4, X0
	MULPS X14, X1
	MULPS X8, X5
	ADDPS X5, X1
	MULPS X14, X2
	MULPS X8, X6
	ADDPS X6, X2
	MULPS X14, X3
	MULPS X8, X7
	ADDPS X7, X3

	// X8: the length², (w²+y²) + (x²+z²). One that is 0 becomes 1 in w.
	MOVAPS X0, X8
	MULPS  X8, X8
	MOVAPS X2, X9
	MULPS  X9, X9
	ADDPS  X9, X8
	MOVAPS X1, X10
	MULPS  X10, X10
	MOVAPS X3, X9
	MULPS  X9, X9
	ADDPS  X9, X10
	ADDPS  X10, X8
	XORPS  X9, X9
	CMPPS  X8, X9, $0
	ANDPS  ONE, X9
	ADDPS  X9, X8
	ADDPS  X9, X0

	SQRTPS X8, X8
	MOVAPS ONE, X9
	DIVPS  X8, X9
	MULPS  X9, X0
	MULPS  X9, X1
	MULPS  X9, X2
	MULPS  X9, X3
	TRANSPOSE(X0, X1, X2, X3, X12, X13)
	MOVUPS X0, 12(R8)
	MOVUPS X1, 52(R8)
	MOVUPS X2, 92(R8)
	MOVUPS X3, 132(R8)
	ADDQ   $160, SI
	ADDQ   $160, DI
	ADDQ   $160, R8
	JMP    four

posesDone:
	RET

// COLUMN multiplies X0…X2, columns of the left matrix, by column c of the right
// one at DI and leaves the sum in X4.
#define COLUMN(c) \
	MOVUPS c(DI), X7      \
	MOVAPS X7, X4         \
	SHUFPS $0x00, X4, X4  \
	MULPS  X0, X4         \
	MOVAPS X7, X5         \
	SHUFPS $0x55, X5, X5  \
	MULPS  X1, X5         \
	ADDPS  X5, X4         \
	SHUFPS $0xaa, X7, X7  \
	MULPS  X2, X7         \
	ADDPS  X7, X4

// func mulPalette(model *mgl32.Mat4, joints *int32, bind, out *mgl32.Mat4, n int)
TEXT ·mulPalette(SB), NOSPLIT, $0-40
	MOVQ model+0(FP), SI
	MOVQ joints+8(FP), R8
	MOVQ bind+16(FP), DI
	MOVQ out+24(FP), R9
	MOVQ n+32(FP), CX

slot:
	TESTQ   CX, CX
	JZ      slotsDone
	MOVLQSX (R8), AX
	SHLQ    $6, AX
	MOVUPS  0(SI)(AX*1), X0
	MOVUPS  16(SI)(AX*1), X1
	MOVUPS  32(SI)(AX*1), X2
	MOVUPS  48(SI)(AX*1), X3
	COLUMN(0)
	MOVUPS  X4, 0(R9)
	COLUMN(16)
	MOVUPS  X4, 16(R9)
	COLUMN(32)
	MOVUPS  X4, 32(R9)
	COLUMN(48)
	ADDPS   X3, X4
	MOVUPS  X4, 48(R9)
	ADDQ    $4, R8
	ADDQ    $64, DI
	ADDQ    $64, R9
	DECQ    CX
	JMP     slot

slotsDone:
	RET

// BROADCAST multiplies the columns X0…X2 by lanes of x, y and z, and leaves the
// sum in X12.
#define BROADCAST(xl, x, yl, y, zl, z) \
	PSHUFD $xl, x, X12 \
	MULPS  X0, X12     \
	PSHUFD $yl, y, X13 \
	MULPS  X1, X13     \
	ADDPS  X13, X12    \
	PSHUFD $zl, z, X14 \
	MULPS  X2, X14     \
	ADDPS  X14, X12

// func toModel(local *Transform, parents *int32, out *mgl32.Mat4, n int) int
TEXT ·toModel(SB), NOSPLIT, $0-40
	MOVQ local+0(FP), SI
	MOVQ parents+8(FP), R8
	MOVQ out+16(FP), R9
	MOVQ n+24(FP), CX
	MOVQ R9, DI
	XORQ DX, DX

joint:
	CMPQ    DX, CX
	JGE     jointsDone
	MOVLQSX (R8)(DX*4), AX
	TESTQ   AX, AX
	JLT     root
	CMPQ    AX, DX
	JGE     jointsDone
	SHLQ    $6, AX
	ADDQ    R9, AX

under:
	// From w, i, j, k: X4 = 1-jj-kk, 1-ii-kk, 1-ii-jj; X5 = ij+wk, ik+wj, jk+wi;
	// X6 = ij-wk, ik-wj, jk-wi, where a pair is twice the product.
	MOVUPS 12(SI), X8
	MOVAPS X8, X9
	ADDPS  X9, X9
	PSHUFD $0x25, X8, X5  // i, i, j
	PSHUFD $0x3e, X9, X10 // j, k, k
	MULPS  X10, X5
	PSHUFD $0x1b, X9, X7  // k, j, i
	PSHUFD $0x00, X8, X10
	MULPS  X10, X7
	MULPS  X9, X8         // ww, ii, jj, kk
	MOVAPS ONE, X4
	PSHUFD $0x16, X8, X9
	SUBPS  X9, X4
	PSHUFD $0x2f, X8, X9
	SUBPS  X9, X4
	MOVAPS X5, X6
	ADDPS  X7, X5
	SUBPS  X7, X6

	// Each times the scale of the column where it goes.
	MOVUPS 24(SI), X8
	PSHUFD $0x39, X8, X9
	MULPS  X9, X4
	PSHUFD $0x2d, X8, X9
	MULPS  X9, X5
	PSHUFD $0x36, X8, X9
	MULPS  X9, X6

	MOVUPS 0(SI), X7
	MOVUPS 0(AX), X0
	MOVUPS 16(AX), X1
	MOVUPS 32(AX), X2
	MOVUPS 48(AX), X3
	BROADCAST(0x00, X4, 0x00, X5, 0x55, X6)
	MOVUPS X12, 0(DI)
	BROADCAST(0x00, X6, 0x55, X4, 0xaa, X5)
	MOVUPS X12, 16(DI)
	BROADCAST(0x55, X5, 0xaa, X6, 0xaa, X4)
	MOVUPS X12, 32(DI)
	BROADCAST(0x00, X7, 0x55, X7, 0xaa, X7)
	ADDPS  X3, X12
	MOVUPS X12, 48(DI)

	ADDQ $40, SI
	ADDQ $64, DI
	INCQ DX
	JMP  joint

root:
	LEAQ ident<>(SB), AX
	JMP  under

jointsDone:
	MOVQ DX, ret+32(FP)
	RET
