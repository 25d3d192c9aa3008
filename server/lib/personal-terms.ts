/** Terms that tell that a text is about a person. */
export interface PersonalTerms {
  /** Email addresses and names, in lower case with single spaces. */
  readonly texts: readonly string[]
  /** Phone numbers: digits only, without country code and trunk zero. */
  readonly numbers: readonly string[]
}
