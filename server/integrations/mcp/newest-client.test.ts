import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { createFixtures, unitEmbedder } from '../../testing/fixtures.ts'

const { app, organization } = await testApp({ embedder: unitEmbedder })
await app.listen({ host: '127.0.0.1', port: 0 })

async function connected(token: string, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.listeningOrigin), { requestInit: { headers } }))
  return client
}

describe('version 2 of the official client', () => {
  it.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const)('with negotiation %s uses revision %s and every tool', async (mode, revision) => {
    const caller = await organization()
    const own = await createFixtures(caller)
    const client = await connected(caller.token, mode)
    expect([client.getNegotiatedProtocolVersion(), client.getServerVersion()?.name]).toEqual([revision, 'groundwork'])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_knowledge',
      'get_chunk',
      'list_bases',
      'identify_contact',
      'find_contact',
      'get_contact',
      'save_contact',
      'log_activity',
      'add_task',
      'preview_proposal',
      'send_proposal',
      'get_proposal',
      'void_proposal',
    ])
    const found = await client.callTool({ name: 'search_knowledge', arguments: { query: 'opening hours' } })
    expect(found).toMatchObject({ structuredContent: { passages: [{ baseId: own['kb'], text: 'opening hours' }] } })
    expect(await client.callTool({ name: 'list_bases', arguments: {} })).toMatchObject({
      structuredContent: { bases: [{ baseId: own['kb'] }] },
    })
    const { structuredContent: contacts } = await client.callTool({ name: 'find_contact', arguments: { query: 'a@example.com' } })
    expect(contacts).toMatchObject({ contacts: { 0: { contactId: own['ctc'] } } })
    expect(await client.callTool({ name: 'get_chunk', arguments: { chunkId: 'x' } })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32_602 })
    await client.close()
  })

  it('does not connect without a token', async () => {
    for (const mode of ['auto', 'legacy'] as const) await expect(connected('', mode)).rejects.toThrow(/401|token/i)
  })
})
