import { fork } from 'node:child_process'
import { once } from 'node:events'
import { root } from './program.ts'

/** An S3 service on loopback that checks signatures and can be gone for a while. */
export interface ObjectStorage {
  /** Settings of a program that keeps its files there. */
  readonly settings: Readonly<Record<string, string>>
  /** Closes each connection without an answer until `return`. */
  go(): void
  return(): void
  /** Makes uploads in parts that are not complete two hours older. */
  age(): void
  /** Returns the keys of its objects, and of uploads in parts that are neither complete nor cancelled. */
  list(): Promise<{ objects: string[]; unfinished: string[] }>
}

/** @param atEnd registers the cleanup; tests pass `onTestFinished` */
export async function openObjectStorage(atEnd: (end: () => Promise<void>) => void): Promise<ObjectStorage> {
  const child = fork('server/testing/s3-server-child.ts', { cwd: root, execArgv: ['--import', 'tsx', '--conditions=source'] })
  atEnd(async () => void child.kill('SIGKILL'))
  const answer = async (): Promise<unknown> => ((await once(child, 'message')) as unknown[])[0]
  const { url, accessKeyId, secretAccessKey } = (await answer()) as { url: string; accessKeyId: string; secretAccessKey: string }
  return {
    settings: { STORAGE_URL: url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    go: () => void child.send('go'),
    return: () => void child.send('return'),
    age: () => void child.send('age'),
    async list() {
      child.send('list')
      return (await answer()) as Awaited<ReturnType<ObjectStorage['list']>>
    },
  }
}

/** Returns the URL of an object, from the URL of the bucket. */
export const inBucket = (bucketUrl: string, name: string): string => bucketUrl.replace(/(?=\?|$)/, `/${name}`)
