import { startS3Server, type S3Fault } from './s3-server.ts'

/** What a test of the built program asks of the S3 service; e2e/object-storage.ts says what each does. */
export type S3Command = 'go' | 'return' | 'age' | 'list'

/** An S3 service in a process of its own, for tests of the built program. Its first message says where it is. */
const s3 = await startS3Server()
const commands: Record<S3Command, () => void> = {
  go: () => (s3.fault = (): S3Fault => 'disconnect'),
  return: () => (s3.fault = (): S3Fault => null),
  age: () => s3.unfinished.forEach((upload) => (upload.startedAt = new Date(upload.startedAt.getTime() - 7_200_000))),
  list: () => process.send?.({ objects: [...s3.objects.keys()], unfinished: [...s3.unfinished.values()].map(({ key }) => key) }),
}
process.on('message', (command: S3Command) => commands[command]())
process.once('disconnect', () => process.exit())
process.send?.({ url: s3.url(), ...s3.credentials })
