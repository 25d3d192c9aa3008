/** The filled cells of a sheet by row and column, both from 0; empty rows and columns are absent. */
export type SheetCells = ReadonlyMap<number, ReadonlyMap<number, string>>

/**
 * Returns the tables of a sheet as dense rows without empty ones, separated at empty rows or columns. Rows after a gap that
 * continue the same columns without a header belong to the table above.
 */
export function regionsOf(cells: SheetCells): string[][][] {
  return bandsOf(cells).flatMap(besideEachOther).map(dense)
}

function bandsOf(cells: SheetCells): SheetCells[] {
  const bands: Map<number, ReadonlyMap<number, string>>[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const [at, row] of [...cells].toSorted(([a], [b]) => a - b)) {
    const band = bands.at(-1)
    if (band && (at === last + 1 || goesOn(band, row))) band.set(at, row)
    else bands.push(new Map([[at, row]]))
    last = at
  }
  return bands
}

function goesOn(band: SheetCells, row: ReadonlyMap<number, string>): boolean {
  const header = [...band.values()][0] ?? new Map()
  const data = [...row.values()].some(isData)
  return row.size > 1 && header.size >= row.size && data && [...row.keys()].every((column) => header.has(column))
}

/** Returns whether a cell begins with a number, unlike most headers. */
export function isData(text: string): boolean {
  return /^[-+(]?[\p{Sc}]?\s*\d/u.test(text)
}

/** Splits tables that are beside each other, each at least two columns wide; a lone column belongs to its neighbour. */
function besideEachOther(band: SheetCells): SheetCells[] {
  const columns = [...new Set([...band.values()].flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b)
  const groups: number[][] = []
  columns.forEach((column, at) => {
    if (at > 0 && column === (columns[at - 1] ?? 0) + 1) groups.at(-1)?.push(column)
    else groups.push([column])
  })
  if (groups.length < 2 || groups.some((group) => group.length < 2)) return [band]
  return groups.flatMap((group) => {
    const wanted = new Set(group)
    const rows = [...band].map(([at, row]) => [at, new Map([...row].filter(([column]) => wanted.has(column)))] as const)
    return bandsOf(new Map(rows.filter(([, row]) => row.size > 0)))
  })
}

function dense(region: SheetCells): string[][] {
  const columns = [...new Set([...region.values()].flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b)
  return [...region.values()].map((row) => columns.map((column) => row.get(column) ?? ''))
}
