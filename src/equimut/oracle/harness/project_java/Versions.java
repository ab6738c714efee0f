package equimut_;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles versions of one file where it stands in its project. */
final class Versions {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files =
            compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    private final String name;
    /** What the compiler needs besides the project: the harness, and JUnit. */
    private final String extra;
    private String classpath;

    /** What became of one version. */
    static final class Compiled {
        final Map<String, byte[]> classes = new TreeMap<>();
        /** The first error; empty if there is none. */
        String error = "";
        /** Lines with errors, from 1. */
        final TreeSet<Integer> lines = new TreeSet<>();
    }

    Versions(String name, String classpath, String extra) {
        this.name = name;
        this.extra = extra;
        this.classpath = classpath;
    }

    String classpath() {
        return classpath;
    }

    /** The origin: with the sources around it where the class path alone does not do. Its classes are on the path then. */
    Compiled origin(String text, String sources, Path base) throws IOException {
        Compiled done = classpath.isEmpty() ? compile(text, sources) : compile(text, "");
        if (!done.error.isEmpty() && !classpath.isEmpty()) {
            Compiled again = compile(text, sources);
            done = again.error.isEmpty() ? again : done;
        }
        for (Map.Entry<String, byte[]> each : done.classes.entrySet()) {
            Path file = base.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
        classpath = base + (classpath.isEmpty() ? "" : java.io.File.pathSeparator + classpath);
        return done;
    }

    Compiled compile(String text, String sources) {
        return compile(Arrays.asList(new Sources.Source(0, name, text)), sources);
    }

    Compiled compile(List<Sources.Source> texts, String sources) {
        List<String> options = new ArrayList<>(Arrays.asList("-nowarn", "-proc:none", "-g:source,lines", "-Xlint:none",
                "-encoding", "UTF-8", "-Xmaxerrs", "1000", "-classpath", classpath + java.io.File.pathSeparator + extra,
                "-sourcepath", sources, "-implicit:class"));
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Compiled done = new Compiled();
        boolean fine;
        try {
            fine = compiler.getTask(null, new Sources.Memory(files, done.classes), problems, options, null, texts).call();
        } catch (RuntimeException broken) { // the compiler's own trouble
            fine = false;
            done.error = "javac gave up: " + broken;
        }
        for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
            if (problem.getKind() == Diagnostic.Kind.ERROR) {
                String said = problem.getMessage(Locale.ROOT).replaceAll("\\s+", " ");
                done.error = done.error.isEmpty() ? said : done.error;
                done.lines.add((int) problem.getLineNumber());
            }
        }
        if (!fine && done.error.isEmpty()) {
            done.error = "javac gave up without a reason";
        }
        return done;
    }
}
