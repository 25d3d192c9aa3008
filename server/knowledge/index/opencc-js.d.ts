/** The dictionaries of opencc-js have no types. */
declare module 'opencc-js/dict/TSCharacters' {
  /** Entries, separated by `|`: a traditional character, a space, and its simplified form. */
  const characters: string
  export default characters
}
