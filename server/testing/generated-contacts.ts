import { randomOf, type Random } from './random.ts'

/** A contact of a generated set. The same seed gives the same contacts. */
export interface GeneratedContact {
  readonly firstName: string
  readonly lastName: string
  /** Usual Latin spellings of a name in another script, first name first. */
  readonly latin: readonly (readonly [string, string])[]
  readonly script: Script
  readonly email: string
  readonly phone: string
}

export type Script = keyof typeof nonLatin | 'latin'

/** A written name and its usual Latin spellings, which are not those of this program. */
type Spelled = readonly [written: string, ...latin: string[]]

interface Names {
  readonly first: readonly Spelled[]
  readonly last: readonly Spelled[]
}

const table = (text: string): Spelled[] =>
  text
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [written = '', ...latin] = entry.split('=').flatMap((part) => part.split('/'))
      return [written, ...latin]
    })

/** All pairs of a beginning and an ending. */
const composed = (beginnings: readonly Spelled[], endings: readonly Spelled[]): Spelled[] =>
  beginnings.flatMap(([start, ...latinStarts]) =>
    endings.map(([end, ...latinEnds]): Spelled => [start + end, ...latinStarts.flatMap((latin) => latinEnds.map((rest) => latin + rest))]),
  )

const nonLatin = {
  cyrillic: {
    first: table(
      'Иван=Ivan Сергей=Sergey/Sergei Алексей=Alexey/Aleksei Дмитрий=Dmitry/Dmitri Юлия=Yulia/Julia Анна=Anna Ольга=Olga Татьяна=Tatiana/Tatyana Наталья=Natalia/Natalya Михаил=Mikhail Николай=Nikolay/Nikolai Владимир=Vladimir/Wladimir Андрей=Andrey/Andrei Екатерина=Ekaterina Светлана=Svetlana Павел=Pavel Фёдор=Fyodor/Fedor Евгений=Evgeny/Yevgeny Ксения=Ksenia/Xenia Григорий=Grigory/Grigori Богдан=Bogdan Олена=Olena Тарас=Taras Ирина=Irina Людмила=Lyudmila/Ludmila Максим=Maxim/Maksim Артём=Artem/Artyom Вячеслав=Vyacheslav/Viacheslav Борис=Boris Зоя=Zoya/Zoia',
    ),
    last: composed(
      table(
        'Петр=Petr Соколь=Sokol Щербак=Shcherbak Чехон=Chekhon Кузнец=Kuznets Волк=Volk Зайц=Zaits Мороз=Moroz Хрущ=Khrushch Жук=Zhuk Борис=Boris Громык=Gromyk Лебед=Lebed Новик=Novik Шевч=Shevch Белин=Belin Тарас=Taras Гончар=Gonchar Рыбак=Rybak Ястреб=Yastreb Дубин=Dubin Котляр=Kotlyar Савель=Savel Фомин=Fomin Цветк=Tsvetk',
      ),
      table('ов=ov ев=ev енко=enko ский=sky/skiy ин=in'),
    ),
  },
  greek: {
    first: table(
      'Γεώργιος=Georgios/Giorgos Χρήστος=Christos Μαρία=Maria Ελένη=Eleni Νικόλαος=Nikolaos/Nicolaos Κωνσταντίνος=Konstantinos/Constantinos Δημήτρης=Dimitris Ιωάννης=Ioannis Κατερίνα=Katerina Σοφία=Sofia/Sophia Βασίλης=Vasilis Παναγιώτης=Panagiotis Αθανάσιος=Athanasios Ευάγγελος=Evangelos Θεόδωρος=Theodoros Αναστασία=Anastasia Μιχάλης=Michalis Στέφανος=Stefanos Αλέξανδρος=Alexandros Φωτεινή=Foteini',
    ),
    last: composed(
      table(
        'Παπαδ=Papad Νικολ=Nikol Γεωργι=Georgi Κωνσταντιν=Konstantin Μιχαλ=Michal Δημητρι=Dimitri Αντων=Anton Βασιλ=Vasil Χριστοδουλ=Christodoul Καραγιανν=Karagiann Σταμ=Stam Λαμπρ=Lampr Θεοφιλ=Theofil Παυλ=Pavl Ζαχαρι=Zachari',
      ),
      table('όπουλος=opoulos άκης=akis ίδης=idis έας=eas άτος=atos'),
    ),
  },
  arabic: {
    first: table(
      'محمد=Mohammed/Muhammad أحمد=Ahmed/Ahmad يوسف=Youssef/Yusuf خالد=Khaled/Khalid فاطمة=Fatima/Fatma عمر=Omar/Umar علي=Ali حسن=Hassan/Hasan حسين=Hussein/Husayn مريم=Maryam/Mariam ليلى=Layla/Leila سارة=Sara/Sarah زينب=Zainab/Zeinab إبراهيم=Ibrahim طارق=Tariq/Tarek سعيد=Said/Saeed كريم=Karim/Kareem جمال=Jamal نور=Nour/Noor هدى=Huda/Hoda ياسمين=Yasmin/Yasmine رشيد=Rashid/Rachid عثمان=Othman/Uthman سليمان=Sulaiman/Suleiman أمينة=Amina',
    ),
    last: table(
      'شريف=Sharif/Sherif منصور=Mansour/Mansur حداد=Haddad خوري=Khoury/Khouri نجار=Najjar الحسيني=Al-Husseini/Alhusseini المصري=Al-Masri/Elmasry بغدادي=Baghdadi قاسم=Qasim/Kassem درويش=Darwish عباس=Abbas حمدان=Hamdan سالم=Salem/Salim رمضان=Ramadan الشامي=Al-Shami/Alshami طنطاوي=Tantawi فرحات=Farhat عطية=Attia/Atiyah زيدان=Zidane/Zaydan بركات=Barakat قباني=Qabbani/Kabbani صباغ=Sabbagh عيسى=Issa/Eissa مراد=Murad/Mourad جابر=Jaber/Jabir الهاشمي=Al-Hashimi/Alhashemi نصر=Nasr توفيق=Tawfiq/Tawfik رزق=Rizk/Rizq غانم=Ghanem/Ghanim',
    ),
  },
  hebrew: {
    first: table(
      'דוד=David יוסף=Yosef/Joseph משה=Moshe יצחק=Yitzhak/Itzhak חיים=Chaim/Haim אברהם=Avraham/Abraham שרה=Sarah/Sara רחל=Rachel/Rahel מיכאל=Michael/Mikhael דניאל=Daniel נועה=Noa/Noah תמר=Tamar יעל=Yael שלמה=Shlomo אורי=Uri/Ori גיל=Gil עמית=Amit רונית=Ronit צבי=Zvi/Tzvi אסתר=Esther/Ester יעקב=Yaakov/Jacob מרים=Miriam שמואל=Shmuel/Samuel אליהו=Eliyahu',
    ),
    last: table(
      'כהן=Cohen/Kohen לוי=Levi/Levy מזרחי=Mizrahi/Mizrachi פרץ=Peretz ביטון=Biton/Bitton דהן=Dahan אברהמי=Avrahami פרידמן=Friedman/Fridman שפירא=Shapira/Shapiro גולדברג=Goldberg רוזנברג=Rosenberg קפלן=Kaplan שטרן=Stern/Shtern ברקוביץ=Berkovitz/Berkovich שרון=Sharon אלון=Alon הלוי=Halevi/Halevy בןדוד=Bendavid נחמני=Nachmani/Nahmani צור=Tzur/Zur ויצמן=Weizman/Vaizman רבינוביץ=Rabinovich/Rabinovitz גבאי=Gabay/Gabbay ירושלמי=Yerushalmi סגל=Segal עמר=Amar דיין=Dayan',
    ),
  },
  han: {
    first: composed(
      table(
        '小=Xiao 志=Zhi 建=Jian 晓=Xiao 文=Wen 海=Hai 春=Chun 国=Guo 丽=Li 雅=Ya 子=Zi 天=Tian 雨=Yu 佳=Jia 俊=Jun 思=Si 美=Mei 永=Yong 玉=Yu 家=Jia',
      ),
      table(
        '明=ming 强=qiang 华=hua 芳=fang 伟=wei 军=jun 燕=yan 平=ping 红=hong 娜=na 涛=tao 杰=jie 静=jing 龙=long 霞=xia 鹏=peng 辉=hui 兰=lan 峰=feng 雪=xue',
      ),
    ),
    last: table(
      '王=Wang 李=Li 张=Zhang 刘=Liu 陈=Chen 杨=Yang 黄=Huang 赵=Zhao 吴=Wu 周=Zhou 徐=Xu 孙=Sun 马=Ma 朱=Zhu 胡=Hu 郭=Guo 何=He 高=Gao 林=Lin 罗=Luo 郑=Zheng 梁=Liang 谢=Xie 宋=Song 唐=Tang 许=Xu 邓=Deng 冯=Feng 韩=Han 曹=Cao 曾=Zeng 彭=Peng 萧=Xiao 蔡=Cai 潘=Pan 田=Tian 董=Dong 袁=Yuan 于=Yu 余=Yu',
    ),
  },
  kana: {
    first: table(
      'さくら=Sakura ひろし=Hiroshi たけし=Takeshi ゆうこ=Yuko きょうこ=Kyoko けんじ=Kenji まさこ=Masako あきら=Akira しょうた=Shota ゆきこ=Yukiko じゅんこ=Junko だいすけ=Daisuke みちこ=Michiko りょうた=Ryota かずや=Kazuya なおみ=Naomi ハナコ=Hanako ケイコ=Keiko タロウ=Taro アイコ=Aiko つよし=Tsuyoshi めぐみ=Megumi しんいち=Shinichi よしお=Yoshio',
    ),
    last: table(
      'たなか=Tanaka さとう=Sato すずき=Suzuki たかはし=Takahashi いとう=Ito わたなべ=Watanabe やまもと=Yamamoto なかむら=Nakamura こばやし=Kobayashi かとう=Kato よしだ=Yoshida やまだ=Yamada ささき=Sasaki まつもと=Matsumoto いのうえ=Inoue きむら=Kimura しみず=Shimizu はやし=Hayashi さいとう=Saito ふじわら=Fujiwara おがわ=Ogawa ごとう=Goto おかだ=Okada はせがわ=Hasegawa いしかわ=Ishikawa まえだ=Maeda ふじた=Fujita あおき=Aoki ちば=Chiba にしむら=Nishimura',
    ),
  },
  hangul: {
    first: composed(
      table('민=Min 서=Seo 지=Ji 현=Hyun 수=Su 영=Young 은=Eun 준=Jun 태=Tae 하=Ha 동=Dong 성=Sung 재=Jae 승=Seung 정=Jung'),
      table('수=su 호=ho 우=woo 희=hee 진=jin 연=yeon 아=a 훈=hoon 빈=bin 경=kyung 미=mi 석=seok 원=won 민=min'),
    ),
    last: table(
      '김=Kim 이=Lee 박=Park 최=Choi 정=Jung 강=Kang 조=Cho 윤=Yoon 장=Jang 임=Lim 한=Han 오=Oh 서=Seo 신=Shin 권=Kwon 황=Hwang 안=Ahn 송=Song 류=Ryu 홍=Hong 고=Ko 문=Moon 양=Yang 손=Son 배=Bae 백=Baek 남=Nam 심=Shim 하=Ha 차=Cha',
    ),
  },
  devanagari: {
    first: table(
      'राजेश=Rajesh कुमार=Kumar प्रिया=Priya अनिल=Anil सुनीता=Sunita विजय=Vijay अमित=Amit नेहा=Neha दीपक=Deepak/Dipak संजय=Sanjay पूजा=Pooja/Puja राहुल=Rahul कविता=Kavita मनोज=Manoj रवि=Ravi अर्जुन=Arjun लक्ष्मी=Lakshmi/Laxmi गीता=Geeta/Gita सुरेश=Suresh आशा=Asha विकास=Vikas मीरा=Meera/Mira कमल=Kamal रोहित=Rohit',
    ),
    last: table(
      'शर्मा=Sharma वर्मा=Varma/Verma गुप्ता=Gupta सिंह=Singh/Sinh पटेल=Patel यादव=Yadav मिश्रा=Mishra जोशी=Joshi देशमुख=Deshmukh पाटिल=Patil कुलकर्णी=Kulkarni चौहान=Chauhan/Chouhan अग्रवाल=Agrawal/Agarwal मेहता=Mehta नायर=Nair रेड्डी=Reddy चतुर्वेदी=Chaturvedi त्रिपाठी=Tripathi भट्ट=Bhatt खन्ना=Khanna मल्होत्रा=Malhotra कपूर=Kapoor/Kapur सक्सेना=Saxena बनर्जी=Banerjee/Banerji ठाकुर=Thakur',
    ),
  },
} satisfies Record<string, Names>

const latinFirst =
  'John Mary Robert Patricia Michael Jennifer William Linda David Elizabeth Richard Barbara Joseph Susan Thomas Jessica Charles Sarah Christopher Karen Daniel Nancy Matthew Lisa Anthony Betty Mark Margaret Donald Sandra Steven Ashley Paul Kimberly Andrew Emily Joshua Donna Kenneth Michelle Kevin Carol Brian Amanda George Melissa Edward Deborah Ronald Stephanie Jörg Björn Zoë François José Łukasz Søren Żaneta Anaïs Gülşen Nuño Marie-Claire Jean-Luc Katherine Ingrid Henrik Oluwaseun Thanh Bruno Chiara Niamh Siobhán Dmitar Fernando Beatriz Rafael'.split(
    ' ',
  )
const latinStarts =
  'Smith Wagner Hart Black White Green Rosen Stein Lind Berg Holm Ash Wood North South West Brad Whit Ald Kings Queens Clay Thorn Bren Ed Hal Har Mor Nor Pem Red Sel Strat Tal Under Wal Win Wor York Mül Schön Gar Fer Mar Ro Cas Mon Val Del San'.split(
    ' ',
  )
const latinEnds =
  'son field wood ford ley ton man well er berg stein ner win ster low ham worth bridge brook stone dorf mann ez ini elli eau ier ard ová ski sen gren ström holm qvist'.split(
    ' ',
  )
const particles = ['van der ', 'de la ', 'von ', "O'", 'Mc']

/** National numbers begin with one of these. */
const areas = [
  ['49', '30'],
  ['49', '89'],
  ['49', '151'],
  ['44', '20'],
  ['44', '7700'],
  ['1', '202'],
  ['1', '415'],
  ['33', '1'],
  ['39', '06'],
  ['7', '495'],
  ['91', '98'],
  ['81', '3'],
  ['82', '2'],
  ['86', '10'],
] as const

/** Yields contacts: half of them have Latin names, the others names in eight other scripts. */
export function* generatedContacts(count: number, seed = 1): Generator<GeneratedContact> {
  const random = randomOf(seed)
  const scripts = Object.keys(nonLatin) as (keyof typeof nonLatin)[]
  for (let at = 0; at < count; at += 1) {
    const script = random.chance(0.5) ? 'latin' : random.of(scripts)
    const [area, code] = random.of(areas)
    const phone = `+${area}${code}${String(10_000_000 + random.below(90_000_000)).slice(0, 10 - code.length)}`
    const name = script === 'latin' ? latinName(random) : foreignName(random, nonLatin[script])
    const [first, last] = name.latin[0] ?? [name.firstName, name.lastName]
    const local = `${first}.${last}${random.chance(0.3) ? '' : random.below(1000)}`
    const email = `${local
      .normalize('NFKD')
      .replaceAll(/[^a-zA-Z0-9.-]/g, '')
      .toLowerCase()}@${random.of(['example.com', 'example.org', 'mail.example', 'firm.example'])}`
    yield { ...name, script, email, phone }
  }
}

type Name = Pick<GeneratedContact, 'firstName' | 'lastName' | 'latin'>

function latinName(random: Random): Name {
  const particle = random.chance(0.06) ? random.of(particles) : ''
  return { firstName: random.of(latinFirst), lastName: particle + random.of(latinStarts) + random.of(latinEnds), latin: [] }
}

function foreignName(random: Random, { first, last }: Names): Name {
  const [firstName, ...firstLatin] = random.of(first)
  const [lastName, ...lastLatin] = random.of(last)
  return { firstName, lastName, latin: firstLatin.flatMap((one) => lastLatin.map((other) => [one, other] as const)) }
}
