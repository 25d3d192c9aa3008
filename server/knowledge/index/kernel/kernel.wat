;; Compares one query with many contiguous vectors, 128 bits at a time. `npm run kernel` assembles kernel.wasm.ts from it.
(module
  (import "kernel" "memory" (memory 0))

  ;; Dot product of 16-bit numbers, times $scale. Both vectors take $bytes, a multiple of 32. Vectors of at
  ;; most unit length at a scale of 2^15 cannot overflow: no part of a dot product exceeds 2^30.
  (func $dot (param $at i32) (param $vector i32) (param $bytes i32) (param $scale f32) (result f32)
    (local $end i32) (local $even v128) (local $odd v128)
    (local.set $end (i32.add (local.get $at) (local.get $bytes)))
    (loop $numbers
      (local.set $even (i32x4.add (local.get $even)
        (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load (local.get $vector)))))
      (local.set $odd (i32x4.add (local.get $odd)
        (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $vector)))))
      (local.set $vector (i32.add (local.get $vector) (i32.const 32)))
      (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $end))))
    (local.set $even (i32x4.add (local.get $even) (local.get $odd)))
    (f32.mul (local.get $scale) (f32.convert_i32_s (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $even)) (i32x4.extract_lane 1 (local.get $even)))
      (i32.add (i32x4.extract_lane 2 (local.get $even)) (i32x4.extract_lane 3 (local.get $even)))))))

  ;; Dot products of $query and four vectors, as f32 at $out. Each part of the query is loaded once for all of them, and the
  ;; four memory reads overlap.
  (func $four (param $query i32) (param $a i32) (param $b i32) (param $c i32) (param $d i32) (param $bytes i32) (param $scale f32) (param $out i32)
    (local $at i32) (local $part v128) (local $ofA v128) (local $ofB v128) (local $ofC v128) (local $ofD v128)
    (loop $numbers
      (local.set $part (v128.load (i32.add (local.get $query) (local.get $at))))
      (local.set $ofA (i32x4.add (local.get $ofA)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load (i32.add (local.get $a) (local.get $at))))))
      (local.set $ofB (i32x4.add (local.get $ofB)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load (i32.add (local.get $b) (local.get $at))))))
      (local.set $ofC (i32x4.add (local.get $ofC)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load (i32.add (local.get $c) (local.get $at))))))
      (local.set $ofD (i32x4.add (local.get $ofD)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load (i32.add (local.get $d) (local.get $at))))))
      (local.set $part (v128.load offset=16 (i32.add (local.get $query) (local.get $at))))
      (local.set $ofA (i32x4.add (local.get $ofA)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=16 (i32.add (local.get $a) (local.get $at))))))
      (local.set $ofB (i32x4.add (local.get $ofB)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=16 (i32.add (local.get $b) (local.get $at))))))
      (local.set $ofC (i32x4.add (local.get $ofC)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=16 (i32.add (local.get $c) (local.get $at))))))
      (local.set $ofD (i32x4.add (local.get $ofD)
        (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=16 (i32.add (local.get $d) (local.get $at))))))
      (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $bytes))))
    ;; Two parts of a, b, a, b and of c, d, c, d; then one of each.
    (local.set $ofA (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $ofA) (local.get $ofB))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $ofA) (local.get $ofB))))
    (local.set $ofC (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $ofC) (local.get $ofD))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $ofC) (local.get $ofD))))
    (v128.store (local.get $out) (f32x4.mul (f32x4.splat (local.get $scale)) (f32x4.convert_i32x4_s (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ofA) (local.get $ofC))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ofA) (local.get $ofC)))))))

  ;; Dot products of $query and $count contiguous vectors, as f32 at $out, at memory bandwidth.
  (func (export "dots") (param $query i32) (param $vector i32) (param $bytes i32) (param $count i32) (param $out i32) (param $scale f32)
    (local $last i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $vectors
      (f32.store (local.get $out) (call $dot (local.get $query) (local.get $vector) (local.get $bytes) (local.get $scale)))
      (local.set $vector (i32.add (local.get $vector) (local.get $bytes)))
      (br_if $vectors (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $last)))))

  ;; Dot products of $query and the vectors at the $count u32 offsets at $places. Each result replaces its offset.
  (func (export "dotsAt") (param $query i32) (param $places i32) (param $bytes i32) (param $count i32) (param $scale f32)
    (local $last i32)
    (local.set $last (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $fours
        (br_if $done (i32.gt_u (i32.add (local.get $places) (i32.const 16)) (local.get $last)))
        (call $four (local.get $query)
          (i32.load (local.get $places)) (i32.load offset=4 (local.get $places))
          (i32.load offset=8 (local.get $places)) (i32.load offset=12 (local.get $places))
          (local.get $bytes) (local.get $scale) (local.get $places))
        (local.set $places (i32.add (local.get $places) (i32.const 16)))
        (br $fours)))
    (block $none
      (loop $vectors
        (br_if $none (i32.ge_u (local.get $places) (local.get $last)))
        (f32.store (local.get $places)
          (call $dot (local.get $query) (i32.load (local.get $places)) (local.get $bytes) (local.get $scale)))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (br $vectors))))

  ;; The function below for codes of 48 bytes, those of 384 dimensions. The query stays in registers: a tenth less time at memory
  ;; bandwidth, half if the processor's cache has the codes.
  (func $distancesOf48 (param $query i32) (param $code i32) (param $count i32) (param $table i32) (param $out i32)
    (local $last i32) (local $a i64) (local $b i64) (local $c i64) (local $d i64) (local $e i64) (local $f i64)
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (local.set $a (i64.load (local.get $query)))
    (local.set $b (i64.load offset=8 (local.get $query)))
    (local.set $c (i64.load offset=16 (local.get $query)))
    (local.set $d (i64.load offset=24 (local.get $query)))
    (local.set $e (i64.load offset=32 (local.get $query)))
    (local.set $f (i64.load offset=40 (local.get $query)))
    (loop $codes
      (i32.store16 (local.get $out)
        (i32.load16_u (i32.add (local.get $table) (i32.shl (i32.wrap_i64 (i64.add
          (i64.add
            (i64.add (i64.popcnt (i64.xor (local.get $a) (i64.load (local.get $code))))
              (i64.popcnt (i64.xor (local.get $b) (i64.load offset=8 (local.get $code)))))
            (i64.popcnt (i64.xor (local.get $c) (i64.load offset=16 (local.get $code)))))
          (i64.add
            (i64.add (i64.popcnt (i64.xor (local.get $d) (i64.load offset=24 (local.get $code))))
              (i64.popcnt (i64.xor (local.get $e) (i64.load offset=32 (local.get $code)))))
            (i64.popcnt (i64.xor (local.get $f) (i64.load offset=40 (local.get $code))))))) (i32.const 1)))))
      (local.set $code (i32.add (local.get $code) (i32.const 48)))
      (br_if $codes (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 2))) (local.get $last)))))

  ;; Looks up the Hamming distance of each code in $table, of u16. $query and each code take $bytes, a multiple of 24, and the
  ;; u16 results go to $out.
  (func (export "distances") (param $query i32) (param $code i32) (param $bytes i32) (param $count i32) (param $table i32) (param $out i32)
    (local $at i32) (local $end i32) (local $last i32) (local $differing i64)
    (if (i32.eqz (local.get $count)) (then (return)))
    (if (i32.eq (local.get $bytes) (i32.const 48)) (then
      (return (call $distancesOf48 (local.get $query) (local.get $code) (local.get $count) (local.get $table) (local.get $out)))))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (local.set $end (i32.add (local.get $query) (local.get $bytes)))
    (loop $codes
      (local.set $at (local.get $query))
      (local.set $differing (i64.const 0))
      (loop $bits
        (local.set $differing (i64.add (i64.add (local.get $differing)
          (i64.popcnt (i64.xor (i64.load (local.get $at)) (i64.load (local.get $code)))))
          (i64.add
            (i64.popcnt (i64.xor (i64.load offset=8 (local.get $at)) (i64.load offset=8 (local.get $code))))
            (i64.popcnt (i64.xor (i64.load offset=16 (local.get $at)) (i64.load offset=16 (local.get $code)))))))
        (local.set $code (i32.add (local.get $code) (i32.const 24)))
        (br_if $bits (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 24))) (local.get $end))))
      (i32.store16 (local.get $out)
        (i32.load16_u (i32.add (local.get $table) (i32.shl (i32.wrap_i64 (local.get $differing)) (i32.const 1)))))
      (br_if $codes (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 2))) (local.get $last)))))

  ;; Looks up each of the $count u16 numbers at $at in $table, of u16. The results go to $out.
  (func (export "lookUp") (param $at i32) (param $count i32) (param $table i32) (param $out i32)
    (local $last i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (loop $numbers
      (i32.store16 (local.get $out)
        (i32.load16_u (i32.add (local.get $table) (i32.shl (i32.load16_u (local.get $at)) (i32.const 1)))))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $numbers (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 2))) (local.get $last)))))

  ;; For the code at each of the $count u32 offsets at $places, the sum of its Hamming distances from the codes at $planes, up to
  ;; $end: each distance counts twice as much as the next one. Codes take $bytes, a multiple of 24. Each sum replaces its offset.
  (func (export "weightedDistances") (param $planes i32) (param $end i32) (param $places i32) (param $bytes i32) (param $count i32)
    (local $at i32) (local $last i32) (local $code i32) (local $next i32) (local $sum i32) (local $differing i64)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $last (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (loop $codes
      (local.set $at (local.get $planes))
      (local.set $sum (i32.const 0))
      (loop $each
        (local.set $code (i32.load (local.get $places)))
        (local.set $next (i32.add (local.get $at) (local.get $bytes)))
        (local.set $differing (i64.const 0))
        (loop $bits
          (local.set $differing (i64.add (i64.add (local.get $differing)
            (i64.popcnt (i64.xor (i64.load (local.get $at)) (i64.load (local.get $code)))))
            (i64.add
              (i64.popcnt (i64.xor (i64.load offset=8 (local.get $at)) (i64.load offset=8 (local.get $code))))
              (i64.popcnt (i64.xor (i64.load offset=16 (local.get $at)) (i64.load offset=16 (local.get $code)))))))
          (local.set $code (i32.add (local.get $code) (i32.const 24)))
          (br_if $bits (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 24))) (local.get $next))))
        (local.set $sum (i32.add (i32.shl (local.get $sum) (i32.const 1)) (i32.wrap_i64 (local.get $differing))))
        (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
      (i32.store (local.get $places) (local.get $sum))
      (br_if $codes (i32.lt_u (local.tee $places (i32.add (local.get $places) (i32.const 4))) (local.get $last)))))

  ;; Subtracts $most x / (x + $half) from each of the $count u16 numbers at $at, down to 0, where x, at least 0, is its f32 at
  ;; $words. It processes eight at a time: the numbers at $at are padded, and those at $words with zeros.
  (func (export "nearer") (param $at i32) (param $words i32) (param $count i32) (param $most f32) (param $half f32)
    (local $last i32) (local $most4 v128) (local $half4 v128) (local $low v128) (local $high v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $most4 (f32x4.splat (local.get $most)))
    (local.set $half4 (f32x4.splat (local.get $half)))
    (local.set $last (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 1))))
    (loop $eights
      (local.set $low (v128.load (local.get $words)))
      (local.set $high (v128.load offset=16 (local.get $words)))
      (if (v128.any_true (v128.or (local.get $low) (local.get $high))) (then
        (v128.store (local.get $at) (i16x8.sub_sat_u (v128.load (local.get $at)) (i16x8.narrow_i32x4_u
          (i32x4.trunc_sat_f32x4_u
            (f32x4.div (f32x4.mul (local.get $most4) (local.get $low)) (f32x4.add (local.get $half4) (local.get $low))))
          (i32x4.trunc_sat_f32x4_u
            (f32x4.div (f32x4.mul (local.get $most4) (local.get $high)) (f32x4.add (local.get $half4) (local.get $high)))))))))
      (local.set $words (i32.add (local.get $words) (i32.const 32)))
      (br_if $eights (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $last)))))

  ;; Adds to the u32 counts at $counts how often each of the $count u16 numbers at $at occurs, of which it reads one in $stride.
  (func (export "count") (param $at i32) (param $count i32) (param $counts i32) (param $stride i32)
    (local $end i32) (local $place i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 1))))
    (local.set $stride (i32.shl (local.get $stride) (i32.const 1)))
    (loop $numbers
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return)))
      (local.set $place (i32.add (local.get $counts) (i32.shl (i32.load16_u (local.get $at)) (i32.const 2))))
      (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (local.get $stride)))
      (br $numbers)))

  ;; Writes the indexes of the $count u16 numbers at $at that are at most $most to $out, as u32, and returns how many
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
