/** A bookmark to add: its depth from 1, its page from 1, and its distance from the page's lower edge in points. */
export interface MadeBookmark {
  readonly title: string
  readonly level: number
  /** Absent for a bookmark that leads nowhere. */
  readonly page?: number
  /** Absent for a bookmark that leads to the whole page. */
  readonly y?: number
}

/** Returns a PDF of `makePdf` with bookmarks and a title in its metadata, as an incremental update. */
export function withOutline(pdf: Buffer, { title, bookmarks = [] }: { title?: string; bookmarks?: readonly MadeBookmark[] }): Buffer {
  const text = pdf.toString('latin1')
  const pages = [...(/\/Kids \[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number))
  const root = Number(/\/Size (\d+)/.exec(text)?.[1])
  const info = root + bookmarks.length + 1
  const parents = bookmarks.map((_, at) => parentOf(bookmarks, at))
  const reference = (at: number): string => `${root + 1 + at} 0 R`
  const links = (parent: number): string => {
    const children = [...bookmarks.keys()].filter((at) => parents[at] === parent)
    const [first, last] = [children[0], children.at(-1)]
    return first === undefined || last === undefined ? '' : `/First ${reference(first)} /Last ${reference(last)} /Count ${children.length}`
  }
  const entries = bookmarks.map(({ title: own, page, y }, at) => {
    const siblings = [...bookmarks.keys()].filter((other) => parents[other] === parents[at])
    const [before, after] = [siblings[siblings.indexOf(at) - 1], siblings[siblings.indexOf(at) + 1]]
    const place = y === undefined ? '/Fit' : `/XYZ 0 ${y} null`
    return [
      `<< /Title ${textString(own)} /Parent ${reference(parents[at] ?? -1)}`,
      before === undefined ? '' : `/Prev ${reference(before)}`,
      after === undefined ? '' : `/Next ${reference(after)}`,
      links(at),
      page === undefined ? '' : `/Dest [${pages[page - 1]} 0 R ${place}]`,
      '>>',
    ].join(' ')
  })
  const objects: [number, string][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R /Outlines ${root} 0 R >>`],
    [root, `<< /Type /Outlines ${links(-1)} >>`],
    ...entries.map((entry, at): [number, string] => [root + 1 + at, entry]),
    [info, `<< ${title === undefined ? '' : `/Title ${textString(title)}`} >>`],
  ]
  return Buffer.concat([pdf, Buffer.from(update(objects, pdf.length, info, text), 'latin1')])
}

function update(objects: readonly (readonly [number: number, body: string])[], start: number, info: number, text: string): string {
  let added = ''
  const rows = objects.map(([number, body]) => {
    const row = `${number} 1\n${String(start + added.length).padStart(10, '0')} 00000 n \n`
    added += `${number} 0 obj\n${body}\nendobj\n`
    return row
  })
  const previous = [...text.matchAll(/startxref\n(\d+)/g)].at(-1)?.[1]
  const trailer = `trailer << /Size ${info + 1} /Root 1 0 R /Info ${info} 0 R /Prev ${previous} >>`
  return `${added}xref\n${rows.join('')}${trailer}\nstartxref\n${start + added.length}\n%%EOF\n`
}

/** Returns the index of the bookmark above; -1 for the outermost ones. */
function parentOf(bookmarks: readonly MadeBookmark[], at: number): number {
  const level = bookmarks[at]?.level ?? 1
  return bookmarks.slice(0, at).findLastIndex((other) => other.level < level)
}

function textString(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
  return `<FEFF${units.join('')}>`
}
