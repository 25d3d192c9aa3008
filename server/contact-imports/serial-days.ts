/** Returns the day of a spreadsheet's serial number as YYYY-MM-DD; undefined if it is none of the years 1900 to 9999. */
export function dayOfSerial(serial: number): string | undefined {
  if (serial < 1 || serial >= 2_958_466) return undefined
  // Spreadsheets count a 29 February 1900, which did not exist.
  const days = Math.floor(serial) - (serial < 60 ? 25_568 : 25_569)
  return new Date(days * 86_400_000).toISOString().slice(0, 10)
}
