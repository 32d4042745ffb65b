;; The scan of src/store/vectors: scalar products of one query with up to 1,024 rows of a block, four rows at a time.
;;
;; Memory, in bytes. The head is the same for every table, the query and the blocks depend on the stride:
;;       0  rows to scan, u32 x 1024: their places in the block
;;    4096  hits, u32 x 1024: the places of the rows that reached the threshold
;;    8192  scores of the hits, f32 x 1024
;;   12288  query, i16 x stride
;; A block:  scales, f32 x 1024, then codes, i8 x stride x 1024. The stride is a multiple of 16.
;;
;; Rows are taken in fours. Where the last four are not whole, what stands in the list behind its end is read and left
;; out of the hits; so every place in the list is below 1024, always.
(module
  (memory (import "varve" "memory") 1)

  ;; The sums of the lanes of four vectors, as the lanes of one.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    (local.set $ab (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd))))

  ;; Scalar products of the query with the codes at four addresses.
  (func $products (param $r0 i32) (param $r1 i32) (param $r2 i32) (param $r3 i32) (param $stride i32) (result v128)
    (local $at i32) (local $query i32) (local $low v128) (local $high v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $query (i32.const 12288))
    (loop $next
      (local.set $low (v128.load (local.get $query)))
      (local.set $high (v128.load offset=16 (local.get $query)))
      (local.set $s0 (i32x4.add (local.get $s0) (i32x4.add
        (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $r0) (local.get $at))) (local.get $low))
        (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $r0) (local.get $at))) (local.get $high)))))
      (local.set $s1 (i32x4.add (local.get $s1) (i32x4.add
        (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $r1) (local.get $at))) (local.get $low))
        (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $r1) (local.get $at))) (local.get $high)))))
      (local.set $s2 (i32x4.add (local.get $s2) (i32x4.add
        (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $r2) (local.get $at))) (local.get $low))
        (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $r2) (local.get $at))) (local.get $high)))))
      (local.set $s3 (i32x4.add (local.get $s3) (i32x4.add
        (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $r3) (local.get $at))) (local.get $low))
        (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $r3) (local.get $at))) (local.get $high)))))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stride))))
    (call $sums (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3)))

  ;; Writes a row behind the hits; it stays there if the bit is set. Returns the number of hits.
  (func $emit (param $hits i32) (param $row i32) (param $score f32) (param $bit i32) (result i32)
    (local $at i32)
    (local.set $at (i32.shl (local.get $hits) (i32.const 2)))
    (i32.store offset=4096 (local.get $at) (local.get $row))
    (f32.store offset=8192 (local.get $at) (local.get $score))
    (i32.add (local.get $hits) (i32.and (local.get $bit) (i32.const 1))))

  ;; Scans the listed rows of a block and returns how many of them score the threshold or more.
  (func (export "scan")
    (param $block i32) (param $count i32) (param $stride i32) (param $threshold f32) (result i32)
    (local $hits i32) (local $at i32) (local $list i32) (local $codes i32) (local $left i32) (local $bits i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $scores v128)
    (local.set $codes (i32.add (local.get $block) (i32.const 4096)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (local.set $list (i32.shl (local.get $at) (i32.const 2)))
        (local.set $r0 (i32.load (local.get $list)))
        (local.set $r1 (i32.load offset=4 (local.get $list)))
        (local.set $r2 (i32.load offset=8 (local.get $list)))
        (local.set $r3 (i32.load offset=12 (local.get $list)))
        (local.set $scores (f32x4.mul
          (f32x4.convert_i32x4_s (call $products
            (i32.add (local.get $codes) (i32.mul (local.get $r0) (local.get $stride)))
            (i32.add (local.get $codes) (i32.mul (local.get $r1) (local.get $stride)))
            (i32.add (local.get $codes) (i32.mul (local.get $r2) (local.get $stride)))
            (i32.add (local.get $codes) (i32.mul (local.get $r3) (local.get $stride)))
            (local.get $stride)))
          (v128.load32_lane 3 (i32.add (local.get $block) (i32.shl (local.get $r3) (i32.const 2)))
          (v128.load32_lane 2 (i32.add (local.get $block) (i32.shl (local.get $r2) (i32.const 2)))
          (v128.load32_lane 1 (i32.add (local.get $block) (i32.shl (local.get $r1) (i32.const 2)))
          (v128.load32_zero (i32.add (local.get $block) (i32.shl (local.get $r0) (i32.const 2)))))))))
        (local.set $bits (i32x4.bitmask (f32x4.ge (local.get $scores) (f32x4.splat (local.get $threshold)))))
        (local.set $left (i32.sub (local.get $count) (local.get $at)))
        (if (i32.lt_u (local.get $left) (i32.const 4))
          (then (local.set $bits (i32.and (local.get $bits)
            (i32.sub (i32.shl (i32.const 1) (local.get $left)) (i32.const 1))))))
        (if (local.get $bits) (then
          (local.set $hits (call $emit (local.get $hits) (local.get $r0)
            (f32x4.extract_lane 0 (local.get $scores)) (local.get $bits)))
          (local.set $hits (call $emit (local.get $hits) (local.get $r1)
            (f32x4.extract_lane 1 (local.get $scores)) (i32.shr_u (local.get $bits) (i32.const 1))))
          (local.set $hits (call $emit (local.get $hits) (local.get $r2)
            (f32x4.extract_lane 2 (local.get $scores)) (i32.shr_u (local.get $bits) (i32.const 2))))
          (local.set $hits (call $emit (local.get $hits) (local.get $r3)
            (f32x4.extract_lane 3 (local.get $scores)) (i32.shr_u (local.get $bits) (i32.const 3))))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))
    (local.get $hits)))
