import { cleanLine } from '../extract/clean.ts'

export interface Chapter {
  readonly title: string
  readonly startSecond: number
}

const line = /^\W*?(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\W*\s+\W*(\S.*?)\s*$/

/**
 * Returns the chapters of a description, one line with time and title each. As on YouTube, a list must begin at 0:00, ascend,
 * and have at least three chapters.
 */
export function chaptersOf(description: string): Chapter[] {
  const listed = description.split('\n').flatMap((text): Chapter[] => {
    const [, hours = '0', minutes = '0', seconds = '0', title = ''] = line.exec(text) ?? []
    const clean = cleanLine(title.slice(0, 200))
    if (clean === '') return []
    return [{ title: clean, startSecond: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) }]
  })
  const rising = listed.every(({ startSecond }, at) => startSecond > (listed[at - 1]?.startSecond ?? -1))
  return listed.length >= 3 && listed[0]?.startSecond === 0 && rising ? listed : []
}
