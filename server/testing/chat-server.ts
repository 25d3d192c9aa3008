import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ChatRequest {
  readonly authorization: string | undefined
  readonly body: { model: string; stream: boolean; messages: { role: string; content: string }[] }
}

/** Answers one request. Without an answer it stays open. */
export type ChatAnswer = (response: ServerResponse) => void

export interface ChatServer {
  readonly url: string
  readonly requests: ChatRequest[]
  answer: ChatAnswer
  close(): Promise<void>
}

/** A server that speaks the protocol of OpenAI's chat completions and says what a test tells it. */
export async function openChatServer(): Promise<ChatServer> {
  const requests: ChatRequest[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push({ authorization: request.headers.authorization, body: JSON.parse(await text(request)) })
    chat.answer(response)
  }
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const chat: ChatServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answer: streamed(''),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return chat
}

const events = (content: string, size: number): string[] => {
  const parts = content.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
  return parts.map((part) => `data: ${JSON.stringify({ choices: [{ delta: { content: part } }] })}\n\n`)
}

/** Streams a text in parts of some characters. */
export const streamed =
  (content: string, size = 7): ChatAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events(content, size)) response.write(event)
    response.end('data: [DONE]\n\n')
  }

/** Streams a text and then says nothing more. */
export const stalled =
  (content = ''): ChatAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    for (const event of events(content, 7)) response.write(event)
  }

/** Streams a text and loses the connection. */
export const interrupted =
  (content: string): ChatAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events(content, 7)) response.write(event)
    response.end()
  }

export const json =
  (status: number, body: unknown): ChatAnswer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
