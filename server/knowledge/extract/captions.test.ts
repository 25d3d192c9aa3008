import { describe, expect, it } from 'vitest'
import type { ExtractedDocument } from './document.ts'
import { parseDocument } from './parse.ts'

function read(text: string, fileName: string): Promise<ExtractedDocument> {
  return parseDocument({ bytes: new TextEncoder().encode(text), fileName })
}

function saidAt({ text, blocks }: ExtractedDocument): (readonly [number | undefined, string])[] {
  return blocks.map(({ startSecond, start, end }) => [startSecond, text.slice(start, end)] as const)
}

describe('WebVTT', () => {
  it('becomes paragraphs with start seconds, without markup, notes and styles', async () => {
    const source = `WEBVTT - Depot
Language: en

STYLE
::cue { color: red }

NOTE never said

intro
00:01.000 --> 00:04.500 align:left
<v.loud Ann>Trailers <i>leave</i> at
six &amp; return by ten.

02
00:05.000 --> 00:08.000
<v Ben>Who signs?</v><v Ann>The driver does.

1:00:02.750 --> 1:00:03.000
Later.
`
    const document = await read(source, 'a.txt')
    expect(document.mediaType).toBe('text/vtt')
    expect(saidAt(document)).toEqual([
      [1, 'Ann: Trailers leave at\nsix & return by ten.'],
      [5, 'Ben: Who signs?'],
      [5, 'Ann: The driver does.'],
      [3602, 'Later.'],
    ])
  })

  it('removes repetitions of rolling captions', async () => {
    const source = `WEBVTT

00:00:00.000 --> 00:00:02.000
 
so<00:00:00.500><c> the</c><00:00:01.000><c> trailer</c>

00:00:02.000 --> 00:00:02.010
so the trailer
 

00:00:02.010 --> 00:00:04.000
so the trailer
needs<00:00:03.000><c> a</c><00:00:03.500><c> check</c>

00:00:04.000 --> 00:00:04.010
needs a check
 

00:00:04.010 --> 00:00:06.000
needs a check
needs<00:00:05.000><c> it</c> now
`
    expect(saidAt(await read(source, 'a.vtt'))).toEqual([[0, 'so the trailer needs a check needs it now']])
  })

  it('ends a paragraph with a sentence, even inside a cue', async () => {
    const source = `WEBVTT

00:00:00.000 --> 00:00:04.000
The depot opens at six. Trailers are

00:00:04.000 --> 00:00:08.000
checked before they leave. Every driver

00:00:08.000 --> 00:00:20.000
signs for the keys, for the papers, for the lamp at the back and

00:00:20.000 --> 00:00:28.000
for the spare wheel. Then the gate is opened.
`
    expect(saidAt(await read(source, 'a.vtt'))).toEqual([
      [0, 'The depot opens at six. Trailers are checked before they leave.'],
      [6, 'Every driver signs for the keys, for the papers, for the lamp at the back and for the spare wheel.'],
      [23, 'Then the gate is opened.'],
    ])
  })

  it('ends a paragraph after some seconds if there are no sentences', async () => {
    const cues = Array.from(
      { length: 9 },
      (_, at) => `00:00:${String(at * 4).padStart(2, '0')}.000 --> 00:00:${at * 4 + 4}.000\npart ${at}\n`,
    )
    expect(saidAt(await read(`WEBVTT\n\n${cues.join('\n')}`, 'a.vtt')).map(([second]) => second)).toEqual([0, 12, 24])
  })

  it('keeps spoken repetitions', async () => {
    const cues = ['Yes.', 'Yes.', 'Four tonnes.', 'And the keys?', 'In the box.', 'Good.', 'Bye.', 'Bye.']
    const lines = cues.map((cue, at) => `00:0${at}.000 --> 00:0${at + 1}.000\n${cue}\n`)
    expect((await read(`WEBVTT\n\n${lines.join('\n')}`, 'a.vtt')).text.replace(/\n+/g, ' ')).toBe(cues.join(' '))
  })
})

describe('SubRip', () => {
  it('is detected by its first cue and split at pauses', async () => {
    const source =
      '1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}<font color="#fff">Hello</font>\r\n\r\n2\r\n00:01:02,500 --> 00:01:03,000\r\n2 < 3\r\n'
    const document = await read(source, 'upload')
    expect(document.mediaType).toBe('application/x-subrip')
    expect(saidAt(document)).toEqual([
      [1, 'Hello'],
      [62, '2 < 3'],
    ])
  })

  it('is read despite invalid times', async () => {
    const source = '1\n0: 0: 8,5 –> 0: 0: 9,0\nspaced\n\n2\n00:00:12.000 --> xx\nhalf\n\n3\nyy --> 00:01:00,000\nnone\n'
    expect(saidAt(await read(source, 'a.srt'))).toEqual([
      [8, 'spaced'],
      [12, 'half none'],
    ])
  })
})
