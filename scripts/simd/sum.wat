;; The sum of src/embed: rows of a table of token vectors, each times its scale, added up.
;;
;; Memory, in bytes: the sum, f32 x dimensions, from 0; the tokens of a text, u32, from `tokens`; the scales, f32 a row,
;; from `scales`; the rows, i8 x dimensions each, from `rows`. The dimensions are a multiple of 16.
(module
  (memory (import "varve" "memory") 1)

  ;; Four products more for the sum at an address.
  (func $add (param $sum i32) (param $cells v128) (param $scale v128)
    (v128.store (local.get $sum) (f32x4.add (v128.load (local.get $sum))
      (f32x4.mul (f32x4.convert_i32x4_s (local.get $cells)) (local.get $scale)))))

  (func (export "sum") (param $tokens i32) (param $count i32) (param $dimensions i32) (param $scales i32) (param $rows i32)
    (local $end i32) (local $token i32) (local $at i32) (local $row i32) (local $low v128) (local $high v128) (local $scale v128)
    (memory.fill (i32.const 0) (i32.const 0) (i32.shl (local.get $dimensions) (i32.const 2)))
    (local.set $end (i32.add (local.get $tokens) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $tokens) (local.get $end)))
        (local.set $token (i32.load (local.get $tokens)))
        (local.set $scale (v128.load32_splat (i32.add (local.get $scales) (i32.shl (local.get $token) (i32.const 2)))))
        (local.set $row (i32.add (local.get $rows) (i32.mul (local.get $token) (local.get $dimensions))))
        (local.set $at (i32.const 0))
        (loop $cells
          (local.set $low (v128.load8x8_s (i32.add (local.get $row) (local.get $at))))
          (local.set $high (v128.load8x8_s offset=8 (i32.add (local.get $row) (local.get $at))))
          (call $add (i32.shl (local.get $at) (i32.const 2)) (i32x4.extend_low_i16x8_s (local.get $low)) (local.get $scale))
          (call $add (i32.add (i32.shl (local.get $at) (i32.const 2)) (i32.const 16)) (i32x4.extend_high_i16x8_s (local.get $low)) (local.get $scale))
          (call $add (i32.add (i32.shl (local.get $at) (i32.const 2)) (i32.const 32)) (i32x4.extend_low_i16x8_s (local.get $high)) (local.get $scale))
          (call $add (i32.add (i32.shl (local.get $at) (i32.const 2)) (i32.const 48)) (i32x4.extend_high_i16x8_s (local.get $high)) (local.get $scale))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $cells (i32.lt_u (local.get $at) (local.get $dimensions))))
        (local.set $tokens (i32.add (local.get $tokens) (i32.const 4)))
        (br $next)))))
