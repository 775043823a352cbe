import type { FactsView } from '../model/facts-codec.ts';
import { marksTests } from '../model/families.ts';

/** Attributes and annotations by which runners find the functions that are tests, whatever their file is called. */
const marks: Readonly<Record<string, RegExp>> = {
  // xUnit and what repositories derive from it (`SkippableFact`), NUnit, MSTest, TUnit.
  csharp: /^(?:\w*(?:Fact|Theory|TestMethod)|Test|TestCase|TestCaseSource)(?:Attribute)?$/,
  ...{ java: ofJunit(), kotlin: ofJunit() },
};

/** Whether a function in a file bears a mark of a test. Reads what it refers to by name, no link: a framework is seldom there. */
export function bearsTests(language: string, facts: () => FactsView): boolean {
  if (marksTests.has(language)) return runsSome(facts());
  const pattern = Object.hasOwn(marks, language) ? marks[language] : undefined;
  if (pattern === undefined) return false;
  const view = facts();
  for (let index = 0; index < view.referenceCount; index++) {
    if (view.referenceKind(index) !== 'type') continue;
    const slot = view.referenceEnclosing(index);
    if (slot >= 0 && pattern.test(view.referenceName(index)) && isMark(view, index, slot)) return true;
  }
  return false;
}

/** Where facts tell test code apart, they know what of it is run. */
function runsSome(facts: FactsView): boolean {
  return Array.from({ length: facts.testsCount }, (_, index) => facts.tests(index)).some(({ isRun }) => isRun);
}

/** Whether a type that a definition refers to stands above a function that has a body, and is not what that gives. */
function isMark(view: FactsView, index: number, slot: number): boolean {
  const { kind, hasBody, type } = view.definitionHead(slot);
  if (!hasBody || (kind !== 'method' && kind !== 'function')) return false;
  const { startLine, startColumn } = view.referenceRange(index);
  const name = view.definitionNameRange(slot);
  if (startLine > name.startLine || (startLine === name.startLine && startColumn > name.startColumn)) return false;
  const gives = type < 0 ? undefined : view.expression(type);
  return gives?.op !== 'instance' || gives.of !== view.referenceExpression(index);
}

/** JUnit 4 and 5, TestNG, kotlin.test. */
function ofJunit(): RegExp {
  return /^(?:(?:Parameterized|Repeated|Retrying|Cartesian)?Test|TestFactory|TestTemplate)$/;
}
