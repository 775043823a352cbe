/** What somebody else has, as code names it: `testclient.TestClient` of the package `fastapi`, `os.path.join` of `python`. */
export interface ForeignName {
  readonly package: string;
  /** With dots between its parts. */
  readonly name: string;
}
