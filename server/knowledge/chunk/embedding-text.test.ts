import { describe, expect, it } from 'vitest'
import { embeddingText } from './embedding-text.ts'

describe('embeddingText', () => {
  it('puts title and headings before the text', () => {
    expect(embeddingText({ text: 'Turn it.', headingPath: ['Pumps', 'Start'] }, 'Manual')).toBe('Manual > Pumps > Start\n\nTurn it.')
  })

  it('does not repeat the title as first heading, nor the heading that the text begins with', () => {
    expect(embeddingText({ text: '## Start\n\nTurn it.', headingPath: ['Manual', 'Start'] }, 'Manual')).toBe(
      'Manual\n\n## Start\n\nTurn it.',
    )
    expect(embeddingText({ text: 'Starting takes long.', headingPath: ['Start'] })).toBe('Start\n\nStarting takes long.')
  })

  it('is the text alone where nothing stands above it', () => {
    expect(embeddingText({ text: 'Turn it.', headingPath: [] })).toBe('Turn it.')
  })
})
