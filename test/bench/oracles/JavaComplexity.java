import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.tools.*;

/**
 * Complexity over javac's own syntax tree: for each file that parses one JSON line
 * {"path": …, "functions": [[line, endLine, name, cyclomatic, cognitive]]}.
 *
 * Functions are methods that have a body, from the line of their name on, lambdas and initializers. Cyclomatic is 1 and the
 * decision points without those of lambdas and classes inside; cognitive is by the rules of sonar-java, what is inside
 * counted with it, and a `switch` with a value as one without.
 *
 * Usage: java JavaComplexity.java ROOT < list-of-paths
 */
@SuppressWarnings("preview")
public class JavaComplexity {
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    for (String path : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
      JavacTask task = (JavacTask) compiler.getTask(null, files, problems, List.of("-proc:none"), null,
          files.getJavaFileObjects(root.resolve(path)));
      for (CompilationUnitTree unit : task.parse()) {
        boolean broken = problems.getDiagnostics().stream().anyMatch(one -> one.getKind() == Diagnostic.Kind.ERROR);
        if (broken) {
          System.err.println("not parsed: " + path);
          continue;
        }
        Functions functions = new Functions(unit, Trees.instance(task).getSourcePositions());
        functions.scan(unit, null);
        out.println("{\"path\":\"" + path + "\",\"functions\":[" + String.join(",", functions.rows) + "]}");
      }
    }
    out.flush();
  }

  /** Finds what has code of its own. */
  static final class Functions extends TreeScanner<Void, Void> {
    final List<String> rows = new ArrayList<>();
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String text;

    Functions(CompilationUnitTree unit, SourcePositions positions) throws IOException {
      this.unit = unit;
      this.positions = positions;
      this.text = unit.getSourceFile().getCharContent(true).toString();
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      if (tree.getBody() != null) add(nameOf(tree), tree, tree.getBody(), tree.getName().toString());
      return super.visitMethod(tree, nothing);
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
      add(positions.getStartPosition(unit, tree), tree, tree.getBody(), "lambda");
      return super.visitLambdaExpression(tree, nothing);
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      for (Tree member : tree.getMembers()) {
        if (member instanceof BlockTree) add(positions.getStartPosition(unit, member), member, member, "initializer");
      }
      return super.visitClass(tree, nothing);
    }

    private void add(long start, Tree tree, Tree body, String name) {
      Cyclomatic cyclomatic = new Cyclomatic();
      cyclomatic.scan(body, null);
      Cognitive cognitive = new Cognitive();
      cognitive.scan(body, null);
      LineMap lines = unit.getLineMap();
      long last = lines.getLineNumber(positions.getEndPosition(unit, tree));
      rows.add("[" + lines.getLineNumber(start) + "," + last + ",\"" + name + "\"," + cyclomatic.points + ","
          + cognitive.total + "]");
    }

    /** Where its name stands: javac keeps no place of it. */
    private long nameOf(MethodTree tree) {
      long from = Math.max(positions.getStartPosition(unit, tree), positions.getEndPosition(unit, tree.getModifiers()));
      String name = tree.getReturnType() == null ? "\\w+" : tree.getName().toString();
      Matcher found = Pattern.compile("(?<!@)\\b" + name + "\\s*[({]").matcher(text);
      return found.find((int) from) ? found.start() : from;
    }
  }

  static boolean isLogical(Tree tree) {
    return tree.getKind() == Tree.Kind.CONDITIONAL_AND || tree.getKind() == Tree.Kind.CONDITIONAL_OR;
  }

  static final class Cyclomatic extends TreeScanner<Void, Void> {
    int points = 1;

    @Override
    public Void scan(Tree tree, Void nothing) {
      if (tree == null) return null;
      switch (tree.getKind()) {
        case IF, FOR_LOOP, ENHANCED_FOR_LOOP, WHILE_LOOP, DO_WHILE_LOOP, CATCH, CONDITIONAL_EXPRESSION,
            CONDITIONAL_AND, CONDITIONAL_OR -> points++;
        case CASE -> points += isDefault((CaseTree) tree) ? 0 : 1;
        default -> { }
      }
      return super.scan(tree, nothing);
    }

    static boolean isDefault(CaseTree tree) {
      return tree.getLabels().stream().allMatch(label -> label.getKind() == Tree.Kind.DEFAULT_CASE_LABEL);
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      return null;
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
      return null;
    }
  }

  static final class Cognitive extends TreeScanner<Void, Void> {
    int total;
    private int nesting;
    private final Set<Tree> counted = new HashSet<>();

    private Void nested(Runnable inside) {
      nesting++;
      inside.run();
      nesting--;
      return null;
    }

    @Override
    public Void visitIf(IfTree tree, Void nothing) {
      total += nesting + 1;
      branches(tree);
      return null;
    }

    private void branches(IfTree tree) {
      scan(tree.getCondition(), null);
      nested(() -> scan(tree.getThenStatement(), null));
      if (tree.getElseStatement() == null) return;
      total++;
      if (tree.getElseStatement() instanceof IfTree next) branches(next);
      else nested(() -> scan(tree.getElseStatement(), null));
    }

    @Override
    public Void visitCatch(CatchTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitCatch(tree, nothing));
    }

    @Override
    public Void visitForLoop(ForLoopTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitForLoop(tree, nothing));
    }

    @Override
    public Void visitEnhancedForLoop(EnhancedForLoopTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitEnhancedForLoop(tree, nothing));
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitWhileLoop(tree, nothing));
    }

    @Override
    public Void visitDoWhileLoop(DoWhileLoopTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitDoWhileLoop(tree, nothing));
    }

    @Override
    public Void visitConditionalExpression(ConditionalExpressionTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitConditionalExpression(tree, nothing));
    }

    @Override
    public Void visitSwitch(SwitchTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitSwitch(tree, nothing));
    }

    @Override
    public Void visitSwitchExpression(SwitchExpressionTree tree, Void nothing) {
      total += nesting + 1;
      return nested(() -> super.visitSwitchExpression(tree, nothing));
    }

    @Override
    public Void visitBreak(BreakTree tree, Void nothing) {
      if (tree.getLabel() != null) total++;
      return null;
    }

    @Override
    public Void visitContinue(ContinueTree tree, Void nothing) {
      if (tree.getLabel() != null) total++;
      return null;
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      return nested(() -> super.visitClass(tree, nothing));
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
      return nested(() -> super.visitLambdaExpression(tree, nothing));
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
      if (isLogical(tree) && !counted.contains(tree)) {
        Tree.Kind last = null;
        for (Tree.Kind kind : run(tree, new ArrayList<>())) {
          if (kind != last) total++;
          last = kind;
        }
      }
      return super.visitBinary(tree, nothing);
    }

    private List<Tree.Kind> run(ExpressionTree tree, List<Tree.Kind> kinds) {
      while (tree instanceof ParenthesizedTree inner) tree = inner.getExpression();
      if (!isLogical(tree)) return kinds;
      counted.add(tree);
      run(((BinaryTree) tree).getLeftOperand(), kinds);
      kinds.add(tree.getKind());
      return run(((BinaryTree) tree).getRightOperand(), kinds);
    }
  }
}
