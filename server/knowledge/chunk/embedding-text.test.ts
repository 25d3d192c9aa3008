import { describe, expect, it } from 'vitest'
import { embeddingText } from './embedding-text.ts'

describe('embeddingText', () => {
  it('puts title and headings before the text', () => {
    expect(embeddingText({ text: 'Turn it.', headingPath: ['Pumps', 'Start'] }, 'Manual')).toBe('Manual > Pumps > Start\n\nTurn it.')
  })

  it('does not repeat the title as first heading, or the heading at the start of the text', () => {
    expect(embeddingText({ text: '## Start\n\nTurn it.', headingPath: ['Manual', 'Start'] }, 'Manual')).toBe(
      'Manual\n\n## Start\n\nTurn it.',
    )
    expect(embeddingText({ text: 'Starting takes long.', headingPath: ['Start'] })).toBe('Start\n\nStarting takes long.')
  })

  it('is only the text if there is no title or heading', () => {
    expect(embeddingText({ text: 'Turn it.', headingPath: [] })).toBe('Turn it.')
  })
})
