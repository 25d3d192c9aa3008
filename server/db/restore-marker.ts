/** A schema that a database has while it is restored. Its rows are then missing or incomplete. */
export const restoreMarker = 'groundwork_restore'

/** Returns whether a restore of this database has begun and not ended. */
export async function isBeingRestored(query: <Row>(text: string) => Promise<Row[]>): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(`select to_regnamespace('${restoreMarker}') is not null as found`)
  return row?.found === true
}
