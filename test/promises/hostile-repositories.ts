import type { Promised } from './promised.ts';

/** Repositories and names that somebody else chose: P41 to P46. */
export const hostileRepositories: readonly Promised[] = [
  {
    number: 41,
    says:
      'Nothing of a repository runs that the user has not trusted, whatever its configuration, attributes, hooks, submodules ' +
      'and refs want: git alone is started, in a folder of ours, and none of its words are in an answer. A repository however ' +
      'odd is indexed all the same, or refused by name.',
    tests: [
      { file: 'fault/evil-repository.test.ts' },
      {
        file: 'fault/system-calls.test.ts',
        title: 'whatever is asked about an evil repository, only git runs, nobody far is called',
      },
      { file: 'fault/odd-repositories.test.ts' },
      { file: 'daemon/backends/git-files.test.ts' },
      { file: 'daemon/backends/git.test.ts' },
      { file: 'daemon/backends/git-conversion.test.ts' },
      { file: 'daemon/backends/git-diff.test.ts' },
      { file: 'daemon/backends/indexers.test.ts', title: 'without trust nothing but node can be found' },
      { file: 'daemon/operations/pull-request.test.ts', title: 'what is no revision, or is not here, is refused' },
      { file: 'long/odd-repositories.long.ts' },
    ],
    breaks: [
      {
        how: 'git runs in the repository’s own folder',
        file: 'daemon/backends/git-runner.ts',
        from: 'return await shape(runIn(shadow, {}, args, call));',
        to: 'return await shape(runIn(repository.gitDir, {}, args, call));',
        red: {
          file: 'fault/evil-repository.test.ts',
          title: 'nothing of a repository runs while its history is read (P41)',
        },
      },
      {
        how: 'a repository’s configuration includes other files',
        file: 'daemon/backends/git-config.ts',
        from: "const lines = await read(file, 'refuse links', signal).catch(() => []);",
        to: 'const { lines } = { lines: [], files: [] } as Taken;\n    await addWithIncludes({ lines, files: [] }, file, users);',
        red: { file: 'daemon/backends/git.test.ts', title: 'names the files that say what is ignored' },
      },
      {
        how: 'a repository of another user is taken',
        file: 'daemon/backends/git-repository.ts',
        from: 'owner !== undefined && owner !== uid)',
        to: 'owner === -1)',
        red: { file: 'daemon/backends/git.test.ts', title: 'a repository of another user is not trusted' },
      },
      {
        how: 'a repository whose index git can’t read is not indexed',
        file: 'daemon/backends/git-runner.ts',
        from: "if (isStopped(error) && (await runsWithout(repository, call))) return '';",
        to: '',
        red: {
          file: 'fault/odd-repositories.test.ts',
          title: 'a daemon indexes repositories however odd, and answers all that is asked about them (P41)',
        },
      },
      {
        how: 'objects are borrowed by way of a pipe, over which git waits for ever',
        file: 'daemon/backends/git-files.ts',
        from: 'if (stat === undefined) continue;',
        to: 'if (stat === undefined || !stat.isFile()) continue;',
        red: {
          file: 'daemon/backends/git-files.test.ts',
          title: 'what objects are borrowed from is followed as git does, and told where git would come to no end',
        },
      },
      {
        how: 'an indexer finds programs of the user’s without trust',
        file: 'daemon/backends/program-environment.ts',
        from: 'if (!trusted) return { ...common, PATH: nodeAlone(scratch), HOME: scratch };',
        to: '',
        red: { file: 'daemon/backends/indexers.test.ts', title: 'without trust nothing but node can be found' },
      },
    ],
  },
  {
    number: 42,
    says:
      'Only regular files inside a repository’s root are read, through no symbolic link and up to a size; pipes, sockets and ' +
      'devices hold nobody up, and names are told apart by their bytes.',
    tests: [
      { file: 'daemon/extract/read-file.test.ts' },
      { file: 'daemon/jobs/hostile-tree.test.ts' },
      { file: 'daemon/jobs/discover.test.ts' },
    ],
    breaks: [
      {
        how: 'what was opened is not compared with what the path names',
        file: 'daemon/extract/read-file.ts',
        from: 'if (truth !== undefined) return truth === absolute;',
        to: 'if (truth !== undefined) return true;',
        red: {
          file: 'daemon/extract/read-file.test.ts',
          title: 'what lies behind a linked folder is no part of the tree',
        },
      },
      {
        how: 'links are followed',
        file: 'daemon/extract/read-file.ts',
        from: `const seen = lstatSync(absolute, { bigint: true });
    if (!seen.isFile()) return notRegular(seen);
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);`,
        to: 'descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NONBLOCK);',
        red: {
          file: 'daemon/extract/read-file.test.ts',
          title: 'what is no text of ours is told by reason, without waiting and without reading',
        },
      },
      {
        how: 'files of any size are read',
        file: 'daemon/extract/read-file.ts',
        from: 'if (stat.size > limits.bytes) return',
        to: 'if (stat.size > limits.bytes * 1e12) return',
        red: {
          file: 'daemon/extract/read-file.test.ts',
          title: 'what is no text of ours is told by reason, without waiting and without reading',
        },
      },
      {
        how: 'pipes and sockets are listed',
        file: 'daemon/jobs/tree-entries.ts',
        from: 'if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return undefined;',
        to: 'if (stat === undefined || stat.isDirectory()) return undefined;',
        red: {
          file: 'daemon/jobs/discover.test.ts',
          title: 'never follows a link, waits for a pipe or lists what is no file',
        },
      },
      {
        how: 'names that are no UTF-8 are taken for others',
        file: 'daemon/jobs/tree-entries.ts',
        from: "if (!entries.some(entry => entry.name.includes('\\ufffd'))) return entries;",
        to: 'if (entries.length > 0) return entries;',
        red: { file: 'daemon/jobs/discover.test.ts', title: 'lists odd names, and says which it can’t' },
      },
    ],
  },
  {
    number: 43,
    says:
      'A source that traps its parser, fills its memory or comes to no end costs itself and no other file; parsers are renewed, ' +
      'leave nothing behind, and are not loaded where they call what their runtime has not.',
    tests: [
      { file: 'daemon/extract/parsers.test.ts' },
      { file: 'daemon/jobs/pathological.test.ts' },
      { file: 'daemon/extract/hostile-typescript.test.ts' },
      { file: 'daemon/extract/deep.test.ts' },
      { file: 'daemon/extract/budget.test.ts' },
      { file: 'daemon/jobs/engine.test.ts', title: 'a trap, a flood and a runaway cost one file each' },
      { file: 'long/pathological.long.ts' },
    ],
    breaks: [
      {
        how: 'what a grammar calls is not looked at',
        file: 'daemon/extract/parsers.ts',
        from: 'if (missing.length > 0) throw',
        to: 'if (missing.length > 1_000) throw',
        red: {
          file: 'daemon/extract/parsers.test.ts',
          title: 'a grammar that calls what its runtime has not is refused when it is loaded',
        },
      },
      {
        how: 'a worker whose grammar trapped goes on',
        file: 'daemon/jobs/extract-service.ts',
        from: "isUnfit = result.kind === 'skipped' && result.reason === 'parser_trap';",
        to: '',
        red: {
          file: 'daemon/extract/parsers.test.ts',
          title:
            'a parse that traps skips its file and retires its worker at once; a worker that runs on is given no other (P43)',
        },
      },
      {
        how: 'a trap is no reason to pass a file over',
        file: 'daemon/extract/syntax.ts',
        from: `  } catch (cause) {
    throw new ExtractionSkipped('parser_trap', cause);
  } finally {`,
        to: `  } catch (cause) {
    throw Object.assign(new Error('trapped', { cause }), { code: 'TRAPPED' });
  } finally {`,
        red: {
          file: 'daemon/jobs/pathological.test.ts',
          title:
            'a grammar that traps costs its own files alone, whoever read them and whatever is read after them (P43)',
        },
      },
      {
        how: 'a file may take any number of steps',
        file: 'daemon/extract/syntax.ts',
        from: 'progressCallback: () => !budget.spend()',
        to: 'progressCallback: () => false',
        red: {
          file: 'daemon/extract/hostile-typescript.test.ts',
          title: 'a parse that takes more than its budget is given up, and the next file is read',
        },
      },
      {
        how: 'parsers are never renewed',
        file: 'daemon/jobs/extract-service.ts',
        from: 'if (extracted % limits.filesPerParser === 0) renewParsers();',
        to: '',
        red: {
          file: 'daemon/extract/parsers.test.ts',
          title:
            'a worker renews its parsers as it is told, stays itself, and nothing keeps the memory of the old ones',
        },
      },
      {
        how: 'trees are left where they are',
        file: 'daemon/extract/syntax.ts',
        from: 'tree?.delete();',
        to: '',
        red: { file: 'long/pathological.long.ts', title: 'five thousand files leave nothing behind' },
      },
      {
        how: 'a parser that comes to no end is told as one that died, and its file is tried again and again',
        file: 'daemon/workers/pool.ts',
        from: "task.reject(new WorkerLost(member.stuck ? 'stuck' : 'crashed', cause))",
        to: "task.reject(new WorkerLost('crashed', cause))",
        red: { file: 'daemon/jobs/engine.test.ts', title: 'a trap, a flood and a runaway cost one file each' },
      },
    ],
  },
  {
    number: 44,
    says: 'Patterns of users and repositories take time in proportion to what they are held against: no expression is made of them.',
    tests: [
      { file: 'daemon/model/user-patterns.test.ts' },
      { file: 'layout.test.ts', title: 'no expression is made from what somebody sends' },
      { file: 'watch/ignore.test.ts', title: 'patterns made to be slow are not' },
      { file: 'daemon/model/fits-glob.test.ts' },
      { file: 'daemon/extract/codeowners.test.ts' },
    ],
    breaks: [
      {
        how: 'each star of a glob is tried at every place',
        file: 'daemon/model/fits-glob.ts',
        from: 'let [at, from, lastStar, retry] = [0, 0, -1, 0];',
        to: `if (pattern[0] === star && parts.length > 0)
    return fits(pattern.slice(1), parts, star, isOne) || fits(pattern, parts.slice(1), star, isOne);
  if (pattern.length > 0 && parts.length > 0)
    return isOne(pattern[0]!, parts[0]!) && fits(pattern.slice(1), parts.slice(1), star, isOne);
  let [at, from, lastStar, retry] = [0, 0, -1, 0];`,
        red: { file: 'daemon/model/user-patterns.test.ts' },
      },
      {
        how: 'an ignore rule goes back to each of its stars',
        file: 'watch/wildmatch.ts',
        from: '  let returnToken = -1;',
        to: `  const found = tokens.indexOf(star);
  if (found >= 0) {
    for (let end = found; end <= text.length; end++) {
      if (!matchesTokens(tokens.slice(0, found), text.slice(0, found))) return false;
      if (matchesTokens(tokens.slice(found + 1), text.slice(end))) return true;
    }
    return false;
  }
  let returnToken = -1;`,
        red: { file: 'daemon/model/user-patterns.test.ts' },
      },
      {
        how: 'a glob becomes a regular expression',
        file: 'daemon/model/fits-glob.ts',
        from: 'return path.endsWith(ending) && fits(',
        to: "return new RegExp(pattern.replaceAll('*', '.*')).test(path) && path.endsWith(ending) && fits(",
        red: { file: 'layout.test.ts', title: 'no expression is made from what somebody sends' },
      },
    ],
  },
  {
    number: 45,
    says:
      'Paths that indexes, artifacts and documents name are labels: what leads out of the repository is left out or refused, ' +
      'and told. Those of observed calls are compared with paths of the index. None of all these is opened.',
    tests: [
      { file: 'fault/opened-paths.test.ts' },
      {
        file: 'daemon/extract/scip/hostile.test.ts',
        title: 'leaves out documents whose paths are no place in a repository',
      },
      { file: 'daemon/jobs/discover.test.ts', title: 'looks at paths as discovery would, files and folders alike' },
      { file: 'daemon/operations/docs.test.ts', title: 'what is there and what is asked wrongly is told over HTTP' },
    ],
    breaks: [
      {
        how: 'the text of an uploaded document is looked for on the disk',
        file: 'daemon/extract/scip/read-document.ts',
        from: 'const path = this.#acceptablePath();',
        to: `const path = this.#acceptablePath();
    try {
      process.getBuiltinModule('node:fs').readFileSync(path ?? '');
    } catch {}`,
        red: {
          file: 'fault/opened-paths.test.ts',
          title:
            'what an uploaded index calls its documents is opened nowhere, and what leads out of it is told (P45, ',
        },
      },
      {
        how: 'a path may lead up',
        file: 'daemon/model/paths.ts',
        from: "if (segment === '' || segment === '.' || segment === '..') return undefined;",
        to: "if (segment === '' || segment === '.') return undefined;",
        red: {
          file: 'daemon/extract/scip/hostile.test.ts',
          title: 'leaves out documents whose paths are no place in a repository',
        },
      },
      {
        how: 'what is left out of an upload is not told',
        file: 'daemon/server/keep-hosted.ts',
        from: 'warnings: warningsOf(uploaded),',
        to: 'warnings: [],',
        red: {
          file: 'fault/opened-paths.test.ts',
          title:
            'what an uploaded index calls its documents is opened nowhere, and what leads out of it is told (P45, ',
        },
      },
    ],
  },
  {
    number: 46,
    says:
      'A decision is written as a new file in a real folder of the repository, through no symbolic link and over nothing that is ' +
      'there; of many at once each has a number of its own, and a title is no path.',
    tests: [
      { file: 'daemon/operations/decisions.test.ts' },
      { file: 'daemon/operations/odd-decisions.test.ts' },
      { file: 'fault/store-decision.test.ts' },
      { file: 'daemon/jobs/decisions/real-folder.test.ts' },
      { file: 'daemon/jobs/decisions/new-name.test.ts' },
      { file: 'daemon/jobs/decisions/create-decision.test.ts' },
    ],
    breaks: [
      {
        how: 'a number that somebody else took meanwhile is kept',
        file: 'daemon/jobs/decisions/create-decision.ts',
        from: 'if (sharingNumber(name.file, await folder.names()).length > 0) return undefined;',
        to: '',
        red: {
          file: 'daemon/jobs/decisions/create-decision.test.ts',
          title: 'a number that another process takes at the same moment is given up, and its file left as it is (P46)',
        },
      },
      {
        how: 'a document takes the place of what is there',
        file: 'daemon/jobs/decisions/real-folder.ts',
        from: 'link: (name, to) => link(at(name), at(to)),',
        to: "link: async (name, to) => (await import('node:fs/promises')).copyFile(at(name), at(to)),",
        red: {
          file: 'daemon/jobs/decisions/real-folder.test.ts',
          title: 'a name that is taken is never written over, whoever took it in the last moment (P46)',
        },
      },
      {
        how: 'links to folders are followed',
        file: 'daemon/jobs/decisions/real-folder.ts',
        from: `  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(async error => {`,
        to: `  absolute = (await import('node:fs')).realpathSync.native(path);
  const handle = await open(path, O_RDONLY | O_DIRECTORY).catch(async error => {`,
        red: {
          file: 'fault/store-decision.test.ts',
          title: 'nothing is written but into a real folder of the repository',
        },
      },
      {
        how: 'a title is a path',
        file: 'daemon/jobs/decisions/new-name.ts',
        from: "return beginning(words, gap) || beginning(charactersOf(first), '') || 'decision';",
        to: "return title.includes('/') ? title : beginning(words, gap) || beginning(charactersOf(first), '') || 'decision';",
        red: { file: 'daemon/operations/decisions.test.ts', title: 'any other title is safe' },
      },
    ],
  },
];
