;; Compares one query with many vectors that lie side by side, 128 bits at a time. `npm run kernel` makes kernel.wasm.ts of it.
(module
  (import "vectors" "memory" (memory 1))

  ;; Dot products of 16-bit numbers. $query and each vector take $bytes, a multiple of 32, and the f32 results go to $out,
  ;; times $scale. Vectors of at most unit length at a scale of 2^15 cannot overflow: no part of a dot product exceeds 2^30.
  (func (export "dots") (param $query i32) (param $vector i32) (param $bytes i32) (param $count i32) (param $out i32) (param $scale f32)
    (local $at i32) (local $end i32) (local $last i32) (local $even v128) (local $odd v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $vectors
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $query) (local.get $bytes)))
      (local.set $even (v128.const i32x4 0 0 0 0))
      (local.set $odd (v128.const i32x4 0 0 0 0))
      (loop $numbers
        (local.set $even (i32x4.add (local.get $even)
          (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load (local.get $vector)))))
        (local.set $odd (i32x4.add (local.get $odd)
          (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $vector)))))
        (local.set $vector (i32.add (local.get $vector) (i32.const 32)))
        (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $end))))
      (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
      (f32.store (local.get $out) (f32.mul (local.get $scale) (f32.convert_i32_s (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
        (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))))
      (br_if $vectors (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $last)))))

  ;; Numbers of bits that differ. $query and each code take $bytes, a multiple of 16, and the u16 results go to $out.
  (func (export "differences") (param $query i32) (param $code i32) (param $bytes i32) (param $count i32) (param $out i32)
    (local $at i32) (local $end i32) (local $last i32) (local $sum v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (loop $codes
      (local.set $at (local.get $query))
      (local.set $end (i32.add (local.get $query) (local.get $bytes)))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (loop $bits
        (local.set $sum (i16x8.add (local.get $sum) (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (v128.load (local.get $at)) (v128.load (local.get $code)))))))
        (local.set $code (i32.add (local.get $code) (i32.const 16)))
        (br_if $bits (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
      (local.set $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sum)))
      (i32.store16 (local.get $out) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
        (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (br_if $codes (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 2))) (local.get $last)))))

  ;; Adds to the u32 counts at $counts how often each of the $count u16 numbers at $at occurs.
  (func (export "count") (param $at i32) (param $count i32) (param $counts i32)
    (local $end i32) (local $place i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 1))))
    (loop $numbers
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return)))
      (local.set $place (i32.add (local.get $counts) (i32.shl (i32.load16_u (local.get $at)) (i32.const 2))))
      (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br $numbers)))

  ;; Writes to $out, as u32, the places of those of the $count u16 numbers at $at that are at most $most, and answers how many
  ;; they are. Up to seven numbers behind the last one are read, but not written of.
  (func (export "pick") (param $at i32) (param $count i32) (param $most i32) (param $out i32) (result i32)
    (local $place i32) (local $last i32) (local $first i32) (local $most8 v128)
    (local.set $most8 (i16x8.splat (local.get $most)))
    (local.set $first (local.get $out))
    (loop $eights
      (if (i32.lt_u (local.get $place) (local.get $count)) (then
        (local.set $last (i32.add (local.get $place) (i32.const 8)))
        (if (i32.gt_u (local.get $last) (local.get $count)) (then (local.set $last (local.get $count))))
        (if (v128.any_true (i16x8.le_u (v128.load (i32.add (local.get $at) (i32.shl (local.get $place) (i32.const 1)))) (local.get $most8))) (then
          (loop $each
            (if (i32.le_u (i32.load16_u (i32.add (local.get $at) (i32.shl (local.get $place) (i32.const 1)))) (local.get $most)) (then
              (i32.store (local.get $out) (local.get $place))
              (local.set $out (i32.add (local.get $out) (i32.const 4)))))
            (br_if $each (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 1))) (local.get $last))))))
        (local.set $place (local.get $last))
        (br $eights))))
    (i32.shr_u (i32.sub (local.get $out) (local.get $first)) (i32.const 2))))
