import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

const parts = 'saddle pedal chain brake wheel spoke fork stem bell lamp rack lock pump tyre tube valve grip cable hub rim axle'.split(' ')
const tools = 'wrench lever gauge hammer brush rag oil grease file clamp stand scale torch'.split(' ')
const verbs = 'loosen tighten clean inspect replace adjust align measure'.split(' ')
const places = 'harbour station market castle bridge forest meadow village'.split(' ')
const word = (list: readonly string[], at: number): string => list[at % list.length] ?? ''

/** Questions by the id of an invented talk with captions. */
export const inventedTalks = {
  workshop001: ['How do I clean the chain?', 'brake cable', 'Which tool is for the spoke?'],
  tours000002: ['Where does the tour stop?', 'lamp', 'a ride to the castle'],
}

type Talk = keyof typeof inventedTalks
const isTalk = (id: string): id is Talk => id in inventedTalks

/** Returns 240 sentences with few repetitions. */
function sentencesOf(talk: Talk): string[] {
  const shift = talk === 'workshop001' ? 0 : 5
  return Array.from({ length: 240 }, (_, at) => {
    const [verb, part, tool] = [word(verbs, at + shift), word(parts, at * 2 + shift), word(tools, at * 3 + shift)]
    return talk === 'workshop001'
      ? `In step ${at + 1} we ${verb} the ${part} of the bicycle with the ${tool} before the ${word(parts, at * 5 + 1)} moves.`
      : `On ride ${at + 1} our guide shows the ${part} near the ${word(places, at * 3 + 2)} and the riders ${verb} it with a ${tool}.`
  })
}

/** Why an invented video has no captions, by id. */
const refusals: Readonly<Record<string, object>> = {
  age_restricted: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age' },
  disabled: { status: 'OK' },
  nocaptions: { status: 'OK' },
  blocked: { status: 'LOGIN_REQUIRED', reason: "Sign in to confirm you're not a bot" },
  unavailable: { status: 'ERROR', reason: 'This video is unavailable' },
  consent: { status: 'ERROR', reason: 'This video is unavailable' },
  unplayable: {
    status: 'UNPLAYABLE',
    reason: 'Custom Reason',
    errorScreen: { playerErrorMessageRenderer: { subreason: { runs: [{ text: 'Sub Reason 1' }, { text: 'Sub Reason 2' }] } } },
  },
}

/** Starts a service with the requests and replies of YouTube. Returns its URL. @param atEnd registers the cleanup */
export async function startVideoService(atEnd: (end: () => void) => void): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://videos')
    if (pathname === '/youtubei/v1/player') {
      void json(request).then((body) => answerPlayer(response, (body as { videoId: string }).videoId))
    } else if (pathname === '/watch' && searchParams.get('v') === 'consent') {
      response.end('<form action="https://consent.youtube.com/save"></form>')
    } else if (pathname === '/watch') {
      response.end('<html></html>')
    } else {
      answerCaptions(response, searchParams.get('vid') ?? '')
    }
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  atEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answerPlayer(response: ServerResponse, id: string): void {
  if (id === 'toomany') {
    response.writeHead(429).end()
    return
  }
  const hasCaptions = isTalk(id) || id === 'po_token'
  const captionTracks = [
    {
      baseUrl: `https://www.youtube.com/api/timedtext?vid=${id}&lang=en${id === 'po_token' ? '&exp=xpe' : ''}&fmt=srv3`,
      languageCode: 'en',
    },
  ]
  const reply = {
    playabilityStatus: refusals[id] ?? { status: 'OK' },
    videoDetails: { videoId: id, title: `Talk ${id}`, author: 'Harbour Cycles', lengthSeconds: '960', shortDescription: '' },
    ...(hasCaptions && { captions: { playerCaptionsTracklistRenderer: { captionTracks } } }),
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
}

function answerCaptions(response: ServerResponse, id: string): void {
  const events = isTalk(id) ? sentencesOf(id).map((utf8, at) => ({ tStartMs: at * 4000, dDurationMs: 4000, segs: [{ utf8 }] })) : []
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ events }))
}
