import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMailmap } from '../../../daemon/extract/mailmap.ts';
import { type Owner, readOwner } from '../../../daemon/model/owner.ts';
import { defaultBots, type PeopleSettings, people } from '../../../daemon/model/people.ts';
import type { SharedHandle } from '../../../daemon/model/shared-handles.ts';

interface Known {
  readonly bots?: readonly string[];
  readonly people?: Readonly<Record<string, readonly string[]>>;
  readonly teams?: Readonly<Record<string, readonly string[]>>;
  readonly mailmap?: string;
  /** Of the history, with commas between them. */
  readonly authors?: string;
  /** What CODEOWNERS names. */
  readonly owners?: string;
}

function owner(text: string): Owner {
  return readOwner(text, 'gitlab')!;
}

function known(input: Known = {}) {
  const { bots = defaultBots, people: configured = {}, teams = {}, mailmap = '', owners = '', authors = '' } = input;
  const settings: PeopleSettings = {
    bots,
    people: new Map(Object.entries(configured)),
    teams: new Map(Object.entries(teams)),
  };
  const named = owners
    .split(' ')
    .filter(text => text !== '')
    .map(owner);
  return people({
    settings,
    mailmap: parseMailmap(Buffer.from(mailmap)),
    owners: named,
    authors: authors.split(', ').map(person),
  });
}

function person(text: string) {
  const [, name = '', email = ''] = /^(.*?) ?<(.*)>$/.exec(text) ?? [];
  return { name, email };
}

interface Row {
  readonly what: string;
  readonly known?: Known;
  readonly identities: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  {
    what: 'an address, where no handle is known',
    identities: { 'Alice <Alice@Example.com>': 'alice@example.com', 'Alice <>': 'Alice', ' <>': 'unknown' },
  },
  {
    what: 'the handle in an address that a host gives out',
    identities: {
      'A <123+alice@users.noreply.github.com>': '@alice',
      'A <alice@users.noreply.github.com>': '@alice',
      'A <7+Alice-B@users.noreply.github.com>': '@Alice-B',
      'A <123-alice@users.noreply.gitlab.com>': '@alice',
      'A <12-a.b_c@users.noreply.gitlab.example.org>': '@a.b_c',
      'A <alice@users.noreply.github.example.org>': '@alice',
      'A <1+@users.noreply.github.com>': '1+@users.noreply.github.com',
      'A <alice@noreply.github.com>': 'alice@noreply.github.com',
    },
  },
  {
    what: 'the handle that is configured for an address, before all else',
    known: {
      people: { '@Alice': ['alice@example.com', 'OLD@example.com', '9+ally@users.noreply.github.com'] },
      owners: '@bob @alice',
    },
    identities: {
      'X <ALICE@example.com>': '@alice',
      'X <old@example.com>': '@alice',
      'Bob <old@example.com>': '@alice',
      'X <9+ally@users.noreply.github.com>': '@alice',
      'X <8+ally@users.noreply.github.com>': '@ally',
    },
  },
  {
    what: 'a handle that an owner has: the address up to its @, or the name',
    known: { owners: '@alice-smith @bob @zoe.q @team-x carol@example.com @org/dave' },
    identities: {
      'X <alice-smith@example.com>': '@alice-smith',
      'X <Alice-Smith+git@example.com>': '@alice-smith',
      'X <alice.smith@example.com>': 'alice.smith@example.com',
      'Alice Smith <a@example.com>': '@alice-smith',
      'alice.smith <a@example.com>': '@alice-smith',
      'ALICE  SMITH <a@example.com>': '@alice-smith',
      'Alice B. Smith <a@example.com>': 'a@example.com',
      'Bob <b@example.com>': '@bob',
      'Bob Bobson <b@example.com>': 'b@example.com',
      'bob <5+bobby@users.noreply.github.com>': '@bobby',
      'Dave <dave@example.com>': 'dave@example.com',
      'Carol <carol@example.com>': 'carol@example.com',
    },
  },
  {
    what: 'the same handle is written in one way: as CODEOWNERS has it first',
    known: { owners: '@BOB @bob @Alice', teams: { '@o/t': ['@alice', '@eve'] } },
    identities: {
      'X <bob@x.org>': '@BOB',
      'X <1+ALICE@users.noreply.github.com>': '@Alice',
      'Eve <e@x.org>': '@eve',
    },
  },
  {
    what: 'an address is one person’s, under whatever name',
    known: { owners: '@alice-smith', authors: 'A. Smith <a@x.org>, Alice Smith <A@x.org>, Bob <b@x.org>, Bob <>' },
    identities: {
      'A. Smith <a@x.org>': '@alice-smith',
      'Alice Smith <a@x.org>': '@alice-smith',
      'A. Smith <b@x.org>': 'b@x.org',
      'A. Smith <>': 'A. Smith',
    },
  },
  {
    what: 'a handle whose addresses are configured, by these and those of hosts alone',
    known: {
      people: { '@Alice': ['alice@corp-a.com'], '@kim-wu': ['kim@x.org'], '@bob': [], '@CarolSmith': ['c@x.org'] },
      owners: '@alice @kimwu @bob @carolsmith',
      authors:
        'Alice Adams <alice@corp-a.com>, Alice Adams <aa@home.org>, Alice <alice@corp-a.com>, Ann Bell <9+bell@users.noreply.github.com>',
    },
    identities: {
      'Alice Adams <ALICE@corp-a.com>': '@alice',
      'Alice Adams <7+alice@users.noreply.github.com>': '@alice',
      'Alice Baker <alice@corp-b.org>': 'alice@corp-b.org',
      'Alice <a@x.org>': 'a@x.org',
      'Alice Adams <aa@home.org>': 'aa@home.org',
      'Carol Smith <me@carolsmith.com>': 'me@carolsmith.com',
      'Kim Wu <k@x.org>': '@kimwu',
      'X <bob@x.org>': '@bob',
      'Ann Bell <9+bell@users.noreply.github.com>': '@bell',
    },
  },
  {
    what: 'a handle that is the domain of an address, where the author’s last name is in it',
    known: { owners: '@AliceBSmith @google' },
    identities: {
      'Alice Smith ✨ <git@alicebsmith.com>': '@AliceBSmith',
      'Alice Smith <me@mail.alicebsmith.com>': '@AliceBSmith',
      'Bob Bobson <bob@alicebsmith.com>': 'bob@alicebsmith.com',
      'Bob Bobson <bob@google.com>': 'bob@google.com',
      'Alice <a@localhost>': 'a@localhost',
    },
  },
  {
    what: 'the handle that the history has for a full name, where it is one',
    known: {
      authors:
        'Kim Wu <5+kimwu@users.noreply.github.com>, Kim Wu <kim@x.org>, Kim <6+kimberly@users.noreply.github.com>, Jo Doe <7+jo@users.noreply.github.com>, Jo Doe <8+doe@users.noreply.github.com>',
    },
    identities: {
      'Kim Wu <kim@x.org>': '@kimwu',
      'K. <kim@x.org>': '@kimwu',
      'Kim <k@x.org>': 'k@x.org',
      'Jo Doe <jo.doe@x.org>': 'jo.doe@x.org',
    },
  },
  {
    what: 'who .mailmap says that it is',
    known: { mailmap: 'Alice Smith <alice@example.com> <old@home>', owners: '@alice' },
    identities: { 'root <old@home>': '@alice', 'root <other@home>': 'other@home' },
  },
];

for (const { what, known: input, identities } of rows) {
  test(`an author is told by ${what}`, () => {
    const { authorOf } = known(input);
    const told = Object.keys(identities).map(text => [text, authorOf(person(text))?.identity]);
    assert.deepEqual(Object.fromEntries(told), identities);
  });
}

test('an author has the name that commits have', () => {
  const { authorOf } = known({ mailmap: 'Alice Smith <a@x>' });
  assert.equal(authorOf(person('al <a@x>'))?.name, 'Alice Smith');
});

const bots: readonly (readonly [patterns: readonly string[], bots: readonly string[], others: readonly string[]])[] = [
  [
    defaultBots,
    [
      'dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>',
      'dependabot-preview <support@dependabot.com>',
      'Renovate Bot <bot@renovateapp.com>',
      'renovate <x@y>',
      'github-actions <actions@github.com>',
      'CI <github-actions@github.com>',
      'x <7+anything[bot]@users.noreply.github.com>',
      'Acme-Bot <x@y>',
      'x <release-bot@acme.com>',
      'k8s-ci-robot <x@y>',
      'Deploy <project_42_bot_ab12@noreply.gitlab.com>',
    ],
    [
      'Abbot <abbot@example.com>',
      'Jan Bot <jan.bot@example.com>',
      'b <b@users.noreply.github.com>',
      'o[bo] <x@y>',
      'botany <botany@example.com>',
      'A <a@dependable.com>',
    ],
  ],
  [['*[B]ot*'], ['x[b]OTy <x@y>', 'x <[B]ot@y>'], ['bot <x@y>', 'b <x@y>']],
  [
    ['a?c', '(x+)+$', '**d***'],
    ['a?c <x@y>', '(x+)+$ <x@y>', 'xdy <x@y>', 'd <x@y>'],
    ['abc <x@y>', 'xxxx <x@y>'],
  ],
  [[], [], ['dependabot[bot] <x@y>']],
  [[`${'*a'.repeat(200)}b`], [`${'a'.repeat(400)}b <x@y>`], [`${'a'.repeat(100_000)} <x@y>`]],
];

for (const [patterns, programs, others] of bots) {
  test(`bots by ${patterns.slice(0, 2).join(', ').slice(0, 40)} and nobody else`, () => {
    const { authorOf } = known({ bots: patterns });
    const isBot = (text: string): boolean => authorOf(person(text)) === undefined;
    assert.deepEqual([programs.filter(isBot), others.filter(isBot)], [programs, []]);
  });
}

test('a bot is who .mailmap says is one', () => {
  const { authorOf } = known({ mailmap: 'deploy[bot] <d@x> <root@host>\nAlice <a@x> <old[bot]@x>' });
  assert.equal(authorOf(person('root <root@host>')), undefined);
  assert.equal(authorOf(person('x <old[bot]@x>'))?.identity, 'a@x');
});

test('owners stand for people: themselves, or those whom a team is told to have', () => {
  const { standingOf, identityOfOwner, authorOf } = known({
    owners: '@Alice @Org/Team @group carol@Example.com @org/other @@maintainer',
    people: { '@carol': ['carol@example.com'] },
    teams: {
      '@org/team': ['@alice', 'bob@example.com', 'carol@example.com', '@ALICE'],
      '@group': ['@dave'],
      '@org/none': [],
    },
  });
  const of = (text: string) => {
    const standing = standingOf(owner(text));
    return standing.kind === 'people' ? standing.identities : standing.kind;
  };
  assert.deepEqual(of('@alice'), ['@Alice']);
  assert.deepEqual(of('@Org/Team'), ['@Alice', 'bob@example.com', '@carol']);
  assert.deepEqual(of('@group'), ['@dave']);
  assert.deepEqual(of('@org/none'), []);
  assert.deepEqual(of('carol@Example.com'), ['@carol']);
  assert.equal(of('@org/other'), 'unresolvable');
  assert.equal(of('@@maintainer'), 'unresolvable');
  assert.equal(identityOfOwner(owner('@alice')), '@Alice');
  assert.equal(identityOfOwner(owner('@org/other')), '@org/other');
  assert.equal(identityOfOwner(owner('CAROL@example.com')), '@carol');
  assert.equal(authorOf(person('X <CAROL@example.com>'))?.identity, '@carol');
});

test('an owner or member with an address is not guessed to have a handle whose addresses are configured', () => {
  const { standingOf, identityOfOwner } = known({
    owners: '@alice alice@corp-b.org ALICE@corp-a.com',
    people: { '@alice': ['alice@corp-a.com'] },
    teams: { '@org/team': ['alice@corp-b.org', '@alice'] },
  });
  assert.equal(identityOfOwner(owner('alice@corp-b.org')), 'alice@corp-b.org');
  assert.equal(identityOfOwner(owner('ALICE@corp-a.com')), '@alice');
  assert.deepEqual(standingOf(owner('@org/team')), { kind: 'people', identities: ['alice@corp-b.org', '@alice'] });
});

/** Authors, and for each handle that several of them are taken to have: the names of these, `!` where they are hardly one. */
const shared: readonly (readonly [what: string, known: Known, told: readonly string[]])[] = [
  [
    'two names and addresses',
    { authors: 'Alice Adams <alice@a>, Alice Baker <alice@b>' },
    ['@alice! Alice Adams, Alice Baker'],
  ],
  ['one name', { authors: 'Alice Adams <alice@a>, ALICE ADAMS <alice@b>' }, []],
  ['one address', { authors: 'Alice Adams <alice@a>, Alice Baker <ALICE@a>' }, []],
  [
    'one by way of a third',
    { authors: 'Alice Adams <alice@a>, Alice Baker <alice@b>, Alice Baker <alice@c>, Alice Adams <alice@c>' },
    [],
  ],
  ['one as .mailmap says', { authors: 'Alice Adams <alice@a>, Alice <alice@b>', mailmap: 'Alice Adams <alice@b>' }, []],
  ['a name within another', { authors: 'Álice <alice@a>, Alice B. Adams <alice@b>' }, ['@alice Alice B. Adams, Álice']],
  ['a name without its blank', { authors: 'aadams <alice@a>, A Adams <alice@b>' }, ['@alice A Adams, aadams']],
  [
    'a guess beside what is sure',
    {
      authors: 'Zoe Zed <1+alice@users.noreply.github.com>, Alice Baker <alice@b>',
    },
    ['@alice! Zoe Zed, Alice Baker'],
  ],
  ['no guess', { authors: 'Zoe <1+alice@users.noreply.github.com>, Alice <2+alice@users.noreply.github.com>' }, []],
  ['a bot', { authors: 'Alice Adams <alice@a>, x[bot] <alice@b>' }, []],
  [
    'what is configured',
    {
      authors: 'Alice Adams <alice@a>, Alice Baker <alice@b>',
      people: { '@alice': ['alice@a', 'alice@b'] },
    },
    [],
  ],
  ['no handle', { authors: 'Bob Adams <bob@a>, Bob Baker <bob@b>,  <>' }, []],
];

test('handles that several authors are taken to have are told', () => {
  for (const [what, input, expected] of shared) {
    const told = known({ owners: '@alice', ...input })
      .sharedHandles()
      .map(
        ({ handle, persons, areLikelySeveral }) =>
          `${handle}${areLikelySeveral ? '!' : ''} ${persons.map(({ name }) => name).join(', ')}`,
      );
    assert.deepEqual(told, expected, what);
  }
  const [{ persons }] = known({
    owners: '@alice',
    authors:
      'Alice Adams <alice@a>, alice adams <ALICE@c>, Alice Baker <alice@b>, Alice Adams <9+alice@users.noreply.github.com>',
  }).sharedHandles() as [SharedHandle];
  assert.deepEqual(
    persons.map(({ emails }) => emails),
    [['9+alice@users.noreply.github.com', 'alice@a', 'alice@c'], ['alice@b']],
  );
});

test('a handle of very many names and addresses is told soon', () => {
  const authors = Array.from({ length: 40_000 }, (_, at) => `A ${at % 7} <alice@${at}>, B ${at} <alice@${at}>`);
  const [{ persons }] = known({ owners: '@alice', authors: authors.join(', ') }).sharedHandles() as [SharedHandle];
  assert.equal(persons.length, 7);
});

test('handles named like members of objects are names', () => {
  const { authorOf, standingOf } = known({ owners: '@__proto__ @constructor' });
  assert.equal(authorOf(person('X <__proto__@x>'))?.identity, '@__proto__');
  assert.equal(authorOf(person('X <toString@x>'))?.identity, 'tostring@x');
  assert.deepEqual(standingOf(owner('@constructor')), { kind: 'people', identities: ['@constructor'] });
});
