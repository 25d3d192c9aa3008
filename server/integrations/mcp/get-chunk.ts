import { idInput, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import { getChunk } from '../../knowledge/search/get-chunk.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { passageHeader, passageFields } from './passage.ts'
import { tool } from './tool.ts'

export const getChunkTool = tool({
  name: 'get_chunk',
  title: 'Read a passage and its neighbours',
  description: 'Returns a passage found by search_knowledge, with the passages before and after it in the same document.',
  scope: 'search:read',
  input: z.strictObject({
    chunkId: idInput('chk'),
    neighbours: wholeNumber(0, 5).default(1).meta({ description: 'Maximum number of passages before and after' }),
  }),
  output: z.object({
    notice: z.string(),
    ...passageFields,
    before: z.array(z.string()).meta({ description: 'In document order' }),
    after: z.array(z.string()),
  }),
  async run(ctx, { chunkId, neighbours }) {
    const chunk = await getChunk(ctx, chunkId, { neighbours })
    const text = [passageHeader(chunk), ...chunk.before, chunk.text, ...chunk.after].join('\n\n')
    return { data: { notice: untrustedContentNotice, ...chunk }, text }
  },
})
