import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Source } from '@groundwork/sdk'
import { progressBar } from './board.ts'
import { command, type Session } from './command.ts'
import { UsageError } from './failure.ts'
import { findBase } from './find-base.ts'
import { runTasks, waitFor, type Task } from './watch.ts'

/** Number of concurrent uploads, whose files are in memory. */
const maxUploads = 3

export const addSources = command({
  words: 'sources add',
  takes: 'BASE FILE|URL…',
  summary: 'add files, web pages, videos or sites to a knowledge base',
  details: 'A YouTube address is added as a video, any other http(s) address as a page, or with --scrape as a site.',
  options: {
    name: { type: 'string', value: 'NAME', about: 'what a single source is called (default: the file name or the address)' },
    scrape: { type: 'boolean', about: 'the addresses are roots of sites to crawl' },
    watch: { type: 'boolean', about: 'wait until all are processed, and show how far they are' },
  },
  async run(session, [given = '', ...items], { name, scrape, watch }) {
    if (name !== undefined && items.length > 1) throw new UsageError('--name goes with one source only')
    for (const item of items) await checkItem(item, scrape === true)
    const baseId = await findBase(session.client, given, session.signal)
    const inTurn = semaphore(maxUploads)
    const tasks = items.map((item): Task => ({
      name: name ?? labelOf(item),
      async run(tell) {
        const called = name ?? labelOf(item)
        const source = isAddress(item)
          ? await addAddress(session, baseId, called, item, scrape === true)
          : await inTurn(() => addFile(session, baseId, called, item, tell))
        return watch ? waitFor(session, baseId, source.id, tell) : source
      },
    }))
    return runTasks(session, tasks)
  },
})

const isAddress = (item: string): boolean => /^https?:\/\//i.test(item)
const labelOf = (item: string): string => (isAddress(item) ? item.slice(0, 200) : basename(item))

/** Checks an item before anything is added. @throws UsageError */
async function checkItem(item: string, scrape: boolean): Promise<void> {
  if (isAddress(item)) {
    if (!URL.canParse(item)) throw new UsageError(`${item} is not an address`)
    return
  }
  if (scrape) throw new UsageError(`--scrape takes addresses, and ${item} is none`)
  const found = await stat(item).catch(() => undefined)
  if (found === undefined) throw new UsageError(`there is no file ${item}`)
  if (!found.isFile()) throw new UsageError(`${item} is not a file`)
  if (found.size === 0) throw new UsageError(`${item} is empty`)
}

function addAddress({ client, signal }: Session, baseId: string, name: string, url: string, scrape: boolean): Promise<Source> {
  const type = scrape ? 'scrape' : isVideo(url) ? 'youtube' : 'url'
  return client.bases.sources.create(baseId, { name, type, url }, { signal })
}

const isVideo = (url: string): boolean => /(^|\.)(youtube\.com|youtu\.be|youtube-nocookie\.com)$/.test(new URL(url).hostname)

async function addFile(
  { client, signal }: Session,
  baseId: string,
  name: string,
  path: string,
  tell: (stage: string, detail: string) => void,
): Promise<Source> {
  const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10
  const upload = await client.uploads.create(new Uint8Array(await readFile(path)), {
    name: basename(path),
    signal,
    onProgress: ({ sentBytes, totalBytes }) => tell('uploading', progressBar(megabytes(sentBytes), megabytes(totalBytes), 'MB')),
  })
  return client.bases.sources.create(baseId, { name, type: 'file', storageUrl: upload.storageUrl }, { signal })
}

/** Returns a semaphore: runs functions with at most `limit` at a time. */
function semaphore(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (run) => {
    if (running >= limit) await new Promise<void>((begin) => waiting.push(begin))
    else running += 1
    try {
      return await run()
    } finally {
      // Passes the slot to the next waiting function.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
