/** Terms that tell that a text is about a person. */
export interface PersonalTerms {
  /** Full names, external ids and ids of contacts, as `contact_fold` returns them: words in lower case with single spaces. */
  readonly phrases: readonly string[]
  /** Full names in scripts without spaces between words, as `contact_fold` returns them, without spaces. */
  readonly unspacedNames: readonly string[]
  /** Email addresses in lower case. */
  readonly addresses: readonly string[]
  readonly numbers: readonly PhoneTerm[]
}

/** A phone number in ASCII digits. */
export interface PhoneTerm {
  /** Empty if it is unknown. */
  readonly callingCode: string
  /** Without trunk zero. */
  readonly national: string
}
