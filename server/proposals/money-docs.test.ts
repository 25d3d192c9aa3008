import { CreateProposal } from '@groundwork/api'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { newPrice } from './price.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/money.md'), 'utf8')
const blocks = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, json = '']): object => JSON.parse(json))
const examples = blocks.flatMap((body, index) => (index % 2 === 0 ? [{ body, figures: blocks[index + 1] ?? {} }] : []))

describe('docs/money.md', () => {
  it('has examples', () => expect([examples.length, blocks.length % 2]).toEqual([8, 0]))

  it.each(examples)('has the figures that the program calculates (%#)', ({ body, figures }) => {
    const proposal = CreateProposal.parse({ title: 'T', contactId: newId(), currency: 'EUR', ...body })
    expect(newPrice(proposal, proposal.currency ?? '')).toMatchObject(figures)
  })
})
