/** Providers whose customers have nothing else in common. */
const mailProviders = new Set(
  `gmail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com me.com mac.com aol.com
  gmx.com gmx.net gmx.de gmx.at gmx.ch web.de t-online.de freenet.de arcor.de mail.de posteo.de mailbox.org online.de email.de
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it telefonica.net terra.com uol.com.br bol.com.br
  mail.ru yandex.ru yandex.com bk.ru inbox.ru list.ru rambler.ru ukr.net wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz
  qq.com 163.com 126.com sina.com naver.com daum.net hanmail.net rediffmail.com bluewin.ch hispeed.ch a1.net chello.at aon.at
  btinternet.com sky.com virginmedia.com comcast.net verizon.net att.net cox.net bellsouth.net sbcglobal.net proton.me protonmail.com pm.me
  fastmail.com zoho.com mail.com hey.com tutanota.com tuta.com duck.com privaterelay.appleid.com`.split(/\s+/),
)

/** Returns whether a domain has the mailboxes of people who have nothing else in common. */
export const isMailProvider = (domain: string): boolean =>
  mailProviders.has(domain) || /^(?:yahoo|hotmail|outlook|live)\.[a-z.]+$/.test(domain)

/** Sites with pages of many companies, also on their subdomains, such as `de.linkedin.com`. */
const sites = new Set(
  `facebook.com fb.com fb.me instagram.com threads.net linkedin.com lnkd.in xing.com kununu.com youtube.com youtu.be vimeo.com twitch.tv
  x.com twitter.com t.co tiktok.com snapchat.com reddit.com quora.com medium.com substack.com mastodon.social bsky.app vk.com
  ok.ru weibo.com t.me telegram.me wa.me whatsapp.com discord.gg linktr.ee about.me bit.ly github.com gitlab.com crunchbase.com
  goo.gl g.page trustpilot.com booking.com airbnb.com etsy.com alibaba.com kleinanzeigen.de`.split(/\s+/),
)
/** Names of such sites with an end for each country. */
const siteOfCountry = /(?:^|\.)(?:google|amazon|ebay|pinterest|tripadvisor|yelp)(?:\.com?)?\.[a-z]{2,3}$/
/** Builders of sites and shops. Each customer has a subdomain, which is the domain of one company. */
const builders = new Set(
  `wordpress.com blogspot.com blogger.com tumblr.com wix.com wixsite.com weebly.com squarespace.com jimdo.com jimdofree.com jimdosite.com
  webnode.com strikingly.com carrd.co webflow.io webflow.com godaddysites.com business.site shopify.com myshopify.com bigcartel.com
  notion.site notion.so github.io netlify.app vercel.app`.split(/\s+/),
)

/** Returns whether many companies share a domain: of a mail provider, a social network, a marketplace, or a builder of sites. */
export function isSharedDomain(domain: string): boolean {
  if (isMailProvider(domain) || builders.has(domain) || siteOfCountry.test(domain)) return true
  const labels = domain.split('.')
  return labels.some((_, at) => sites.has(labels.slice(at).join('.')))
}
