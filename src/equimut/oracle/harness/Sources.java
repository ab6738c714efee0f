package equimut_;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles many sources in one go, in memory, and leaves out the ones that do not compile. */
final class Sources {
    /** The classes that came out, by binary name. */
    final Map<String, byte[]> classes = new TreeMap<>();
    /** The first error of every source that does not compile. */
    final Map<Integer, String> errors = new TreeMap<>();

    static final class Source extends SimpleJavaFileObject {
        final int unit;
        final String text;

        Source(int unit, String name, String text) {
            super(URI.create("mem:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.unit = unit;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignore) {
            return text;
        }
    }

    /** Keeps classes in memory instead of writing them. */
    static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> classes;

        Memory(StandardJavaFileManager files, Map<String, byte[]> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location place, String name, JavaFileObject.Kind kind, FileObject sibling) {
            URI uri = URI.create("mem:///" + name.replace('.', '/') + ".class");
            return new SimpleJavaFileObject(uri, kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            classes.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }

    /** Compiles texts by unit; each is the class `name`, in the package of its unit. */
    void compile(Map<Integer, String> texts, String name, boolean debug) {
        Map<Integer, String> left = new TreeMap<>(texts);
        while (!left.isEmpty()) {
            Set<Integer> failed = attempt(left, name, debug);
            if (failed.isEmpty()) {
                return;
            }
            left.keySet().removeAll(failed);
        }
    }

    private Set<Integer> attempt(Map<Integer, String> texts, String name, boolean debug) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Collection<Source> sources = new ArrayList<>();
        texts.forEach((unit, text) -> sources.add(new Source(unit, packageOf(unit) + "." + name, text)));
        List<String> options =
                Arrays.asList("-nowarn", "-proc:none", debug ? "-g:source,lines" : "-g:none",
                        "-Xmaxerrs", "100000", "-Xlint:none");
        classes.clear();
        StandardJavaFileManager files = compiler.getStandardFileManager(problems, Locale.ROOT, null);
        boolean fine = compiler.getTask(null, new Memory(files, classes), problems, options, null, sources).call();
        Set<Integer> failed = new HashSet<>();
        for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
            if (problem.getKind() == Diagnostic.Kind.ERROR && problem.getSource() instanceof Source) {
                int unit = ((Source) problem.getSource()).unit;
                failed.add(unit);
                String[] lines = problem.getMessage(Locale.ROOT).split("\n");
                errors.putIfAbsent(unit, String.join(" ", lines).replaceAll("\\s+", " "));
            }
        }
        if (!fine && failed.isEmpty()) {
            texts.keySet().forEach(unit -> errors.put(unit, "javac gave up without a reason"));
            return new HashSet<>(texts.keySet());
        }
        return failed;
    }

    /** Every unit has a package of its own; all names have the same length. */
    static String packageOf(int unit) {
        return String.format("unit%06d", unit);
    }
}
