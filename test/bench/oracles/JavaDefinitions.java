import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

/**
 * Definitions as javac's own parser sees them: one JSON array [path, line, name, kind] per line.
 *
 * Usage: java JavaDefinitions.java ROOT < list-of-paths
 */
public class JavaDefinitions {
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
        if (broken) continue;
        out.println("[\"\",0," + quoted(path) + ",\"file\"]");
        new Definitions(path, unit, Trees.instance(task), out).scan(unit, null);
      }
    }
    out.flush();
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  static final class Definitions extends TreePathScanner<Void, Void> {
    private final String path;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final PrintStream out;
    private final String text;

    Definitions(String path, CompilationUnitTree unit, Trees trees, PrintStream out) throws IOException {
      this.path = path;
      this.unit = unit;
      this.positions = trees.getSourcePositions();
      this.out = out;
      this.text = unit.getSourceFile().getCharContent(true).toString();
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      if (!tree.getSimpleName().isEmpty()) {
        String kind = switch (tree.getKind()) {
          case ENUM -> "enum";
          case INTERFACE, ANNOTATION_TYPE -> "interface";
          default -> "class";
        };
        print(tree, tree.getSimpleName().toString(), kind, bodyStart(tree));
      }
      return super.visitClass(tree, nothing);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      boolean isConstructor = tree.getReturnType() == null && tree.getName().contentEquals("<init>");
      ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
      String name = isConstructor ? owner.getSimpleName().toString() : tree.getName().toString();
      long from = tree.getReturnType() == null ? start(tree.getModifiers(), tree) : end(tree.getReturnType());
      print(tree, name, isConstructor ? "constructor" : "method", from);
      return super.visitMethod(tree, nothing);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
      if (getCurrentPath().getParentPath().getLeaf() instanceof ClassTree owner) {
        Set<Modifier> flags = tree.getModifiers().getFlags();
        boolean isEnumMember = tree.toString().contains("/*public static final*/");
        boolean inInterface = owner.getKind() == Tree.Kind.INTERFACE || owner.getKind() == Tree.Kind.ANNOTATION_TYPE;
        boolean isConstant = inInterface || (flags.contains(Modifier.STATIC) && flags.contains(Modifier.FINAL));
        String kind = isEnumMember ? "enum-member" : isConstant ? "constant" : "field";
        long from = isEnumMember || tree.getType() == null ? start(tree.getModifiers(), tree) : end(tree.getType());
        print(tree, tree.getName().toString(), kind, Math.max(from, positions.getStartPosition(unit, tree)));
      }
      return super.visitVariable(tree, nothing);
    }

    private long bodyStart(ClassTree tree) {
      return start(tree.getModifiers(), tree);
    }

    /** Where to look for the name: behind the modifiers, which may hold it too. */
    private long start(ModifiersTree modifiers, Tree tree) {
      long end = positions.getEndPosition(unit, modifiers);
      return end < 0 ? positions.getStartPosition(unit, tree) : end;
    }

    private long end(Tree tree) {
      return positions.getEndPosition(unit, tree);
    }

    private void print(Tree tree, String name, String kind, long from) {
      java.util.regex.Matcher matcher = java.util.regex.Pattern.compile("(?<![\\w$])" + java.util.regex.Pattern.quote(name) + "(?![\\w$])").matcher(text);
      int at = (int) Math.max(0, from);
      if (!matcher.find(at)) return;
      long line = unit.getLineMap().getLineNumber(matcher.start());
      out.println("[" + quoted(path) + "," + line + "," + quoted(name) + "," + quoted(kind) + "]");
    }
  }
}
