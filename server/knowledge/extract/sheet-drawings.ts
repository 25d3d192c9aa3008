import { chartParts } from './chart.ts'
import type { Part } from './draft.ts'
import { openPackage, type OfficePackage } from './office-package.ts'
import { shapesOf } from './slide-shapes.ts'
import { all, at, isElement } from './xml.ts'

/** Returns charts, text boxes and described pictures of an xlsx file by sheet name; none for other spreadsheets. */
export function drawingsOf(bytes: Uint8Array): Map<string, Part[]> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new Map()
  const file = openPackage(bytes)
  const main = [...file.relations('').values()].find(({ type }) => type === 'officeDocument')?.target ?? ''
  const relations = file.relations(main)
  const sheets = all(at(file.xml(main), 'workbook', 'sheets'), 'sheet')
  return new Map(
    sheets.map(({ attributes }) => {
      const part = relations.get(attributes['r:id'] ?? '')?.target
      return [attributes['name'] ?? '', part === undefined ? [] : partsOf(file, part)] as const
    }),
  )
}

function partsOf(file: OfficePackage, sheet: string): Part[] {
  const drawings = [...file.relations(sheet).values()].filter(({ type }) => type === 'drawing')
  return drawings.flatMap(({ target }) => {
    const charts = file.relations(target)
    const anchors = (at(file.xml(target), 'wsDr')?.children ?? []).filter(isElement)
    return anchors.flatMap(shapesOf).flatMap((shape) => {
      if (shape.kind === 'parts') return shape.parts
      const chart = charts.get(shape.relation)?.target
      return chart === undefined ? [] : chartParts(file.xml(chart))
    })
  })
}
