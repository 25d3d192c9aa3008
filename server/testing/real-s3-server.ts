import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface RealS3Server {
  readonly endpoint: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  url(prefix: string): string
  close(): Promise<void>
}

/**
 * Starts versitygw, an S3 service that checks signatures, on a temporary folder. Returns null if it is not installed
 * (`.ci/versitygw` installs it).
 */
export async function startRealS3Server(): Promise<RealS3Server | null> {
  const program = installed()
  if (program === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-s3-'))
  await mkdir(join(folder, 'files/real-bucket'), { recursive: true })
  await mkdir(join(folder, 'metadata'))
  const credentials = { accessKeyId: 'real-access-key', secretAccessKey: 'real secret access key' }
  const port = await freePort()
  const keys = ['--access', credentials.accessKeyId, '--secret', credentials.secretAccessKey]
  const child = spawn(
    program,
    [...keys, '--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', join(folder, 'metadata'), join(folder, 'files')],
    { stdio: 'ignore' },
  )
  const endpoint = `http://127.0.0.1:${port}`
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null) throw new Error(`versitygw ended with code ${child.exitCode}`)
    await setTimeout(50)
  }
  return {
    endpoint,
    credentials,
    url: (prefix) => `s3://real-bucket/${prefix}?endpoint=${endpoint}`,
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function installed(): string | null {
  for (const name of [process.env['VERSITYGW'] ?? 'versitygw', join(homedir(), '.cache/groundwork-versitygw/versitygw')])
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' })
      return name
    } catch {
      // Not at this place.
    }
  return null
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
