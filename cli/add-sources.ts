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
  details: 'YouTube URLs are added as videos, other http(s) URLs as pages, or with --scrape as sites.',
  options: {
    name: { type: 'string', value: 'NAME', about: 'name of a single source (default: the file name or the URL)' },
    scrape: { type: 'boolean', about: 'crawl the sites below the URLs' },
    watch: { type: 'boolean', about: 'wait until all are processed, and show their progress' },
  },
  async run(session, [given = '', ...items], { name, scrape, watch }) {
    if (name !== undefined && items.length > 1) throw new UsageError('--name can only be used with a single source')
    for (const item of items) await checkItem(item, scrape === true)
    const baseId = await findBase(session.client, given, session.signal)
    const limited = semaphore(maxUploads)
    const tasks = items.map((item): Task => ({
      name: name ?? labelOf(item),
      async run(report) {
        const sourceName = name ?? labelOf(item)
        const source = isUrl(item)
          ? await addUrl(session, baseId, sourceName, item, scrape === true)
          : await limited(() => addFile(session, baseId, sourceName, item, report))
        return watch ? waitFor(session, baseId, source.id, report) : source
      },
    }))
    return runTasks(session, tasks)
  },
})

const isUrl = (item: string): boolean => /^https?:\/\//i.test(item)
const labelOf = (item: string): string => (isUrl(item) ? item.slice(0, 200) : basename(item))

/** Checks an item before anything is added. @throws UsageError */
async function checkItem(item: string, scrape: boolean): Promise<void> {
  if (isUrl(item)) {
    if (!URL.canParse(item)) throw new UsageError(`${item} is not a valid URL`)
    return
  }
  if (scrape) throw new UsageError(`--scrape only works with URLs, and ${item} is not a URL`)
  const found = await stat(item).catch(() => undefined)
  if (found === undefined) throw new UsageError(`the file ${item} does not exist`)
  if (!found.isFile()) throw new UsageError(`${item} is not a file`)
  if (found.size === 0) throw new UsageError(`${item} is empty`)
}

function addUrl({ client, signal }: Session, baseId: string, name: string, url: string, scrape: boolean): Promise<Source> {
  const type = scrape ? 'scrape' : isVideo(url) ? 'youtube' : 'url'
  return client.bases.sources.create(baseId, { name, type, url }, { signal })
}

const isVideo = (url: string): boolean => /(^|\.)(youtube\.com|youtu\.be|youtube-nocookie\.com)$/.test(new URL(url).hostname)

async function addFile(
  { client, signal }: Session,
  baseId: string,
  name: string,
  path: string,
  report: (stage: string, detail: string) => void,
): Promise<Source> {
  const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10
  const upload = await client.uploads.create(new Uint8Array(await readFile(path)), {
    name: basename(path),
    signal,
    onProgress: ({ sentBytes, totalBytes }) => report('uploading', progressBar(megabytes(sentBytes), megabytes(totalBytes), 'MB')),
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
