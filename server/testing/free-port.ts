import { createServer, type AddressInfo, type Server } from 'node:net'

/** Returns a port of loopback that no program uses. */
export async function freePort(): Promise<number> {
  const server = await new Promise<Server>((listening) => {
    const created = createServer().listen(0, '127.0.0.1', () => listening(created))
  })
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
