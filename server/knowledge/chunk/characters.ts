/** Kinds of UTF-16 code units, as bits. Characters beyond the basic plane consist of surrogates, whose kind they do not tell. */
export const characters = { letter: 1, mark: 2, number: 4, surrogate: 8 } as const

/** A letter, mark or number. */
export const wordCharacter = characters.letter | characters.mark | characters.number

const patterns: readonly (readonly [RegExp, number])[] = [
  [/^\p{L}$/u, characters.letter],
  [/^\p{M}$/u, characters.mark],
  [/^\p{N}$/u, characters.number],
  [/^\p{Cs}$/u, characters.surrogate],
]

let table: Uint8Array | undefined

/** Returns the kind of each code unit; 0 for others. The first call takes about ten milliseconds. */
export function characterTable(): Uint8Array {
  if (table === undefined) {
    table = new Uint8Array(0x10000)
    for (let unit = 0; unit < table.length; unit++)
      table[unit] = patterns.find(([pattern]) => pattern.test(String.fromCharCode(unit)))?.[1] ?? 0
  }
  return table
}
