import { readFileSync } from 'node:fs'
import { packageFile } from '../lib/entry.ts'
import { serveRequests } from '../lib/limited-process.ts'
import type { RenderReply, RenderRequest } from './messages.ts'
import { openRender } from './render.ts'

const render = await openRender(readFileSync(packageFile('pdf/offer.typ'), 'utf8'))

serveRequests(async ({ document }: RenderRequest): Promise<RenderReply> => {
  const memoryMb = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20)
  try {
    return { type: 'pdf', ...(await render(document)), memoryMb: memoryMb() }
  } catch (error) {
    return { type: 'failure', message: error instanceof Error ? error.message : String(error), memoryMb: memoryMb() }
  }
})
