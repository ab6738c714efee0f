package equimut_;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** One version of a project: all of its classes, loaded anew, some of them changed. */
final class World extends ClassLoader {
    static final String CONSTRUCTOR = "<init>";
    /** What the versions share with the harness: its own classes, and JUnit's. */
    private static final String[] SHARED = {
        "equimut_.", "org.junit.", "junit.", "org.opentest4j.", "org.hamcrest.", "org.apiguardian."};
    private static final Map<String, Class<?>> PRIMITIVES = new HashMap<>();

    static {
        for (Class<?> type : new Class<?>[] {boolean.class, byte.class, short.class, char.class, int.class,
            long.class, float.class, double.class, void.class}) {
            PRIMITIVES.put(type.getName(), type);
        }
    }

    private final Library library;
    private final Map<String, byte[]> changed;
    private final Map<String, Executable> known = new HashMap<>();

    World(Library library, Map<String, byte[]> changed) {
        super(ClassLoader.getPlatformClassLoader());
        this.library = library;
        this.changed = changed;
    }

    /** The classes of a class path, read once for all versions. */
    static final class Library {
        private static final int MOST_NAMES = 4_000;
        private final List<Path> places = new ArrayList<>();
        private final URLClassLoader files;
        private final Map<String, byte[]> read = new ConcurrentHashMap<>();
        private List<String> names;

        Library(String classpath) throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String part : classpath.split(java.io.File.pathSeparator)) {
                if (!part.isEmpty()) {
                    places.add(Paths.get(part));
                    urls.add(Paths.get(part).toUri().toURL());
                }
            }
            files = new URLClassLoader(urls.toArray(new URL[0]), null);
        }

        byte[] bytes(String name) {
            byte[] found = read.get(name);
            if (found == null) {
                // Not `getResource`, which looks at the platform first.
                URL file = files.findResource(name.replace('.', '/') + ".class");
                try (InputStream stream = file == null ? InputStream.nullInputStream() : file.openStream()) {
                    found = stream.readAllBytes();
                } catch (IOException error) {
                    found = new byte[0];
                }
                read.put(name, found);
            }
            return found.length == 0 ? null : found;
        }

        URL resource(String name) {
            return files.findResource(name);
        }

        /** Names of the classes, as far as there are not too many. */
        synchronized List<String> names() {
            if (names == null) {
                TreeSet<String> found = new TreeSet<>();
                for (Path place : places) {
                    try {
                        list(place, found);
                    } catch (IOException error) {
                        continue; // a class path may name what is not there
                    }
                }
                names = new ArrayList<>(found);
            }
            return names;
        }

        private static void list(Path place, TreeSet<String> found) throws IOException {
            if (Files.isDirectory(place)) {
                try (Stream<Path> all = Files.walk(place)) {
                    all.forEach(file -> add(place.relativize(file).toString(), found));
                }
            } else if (Files.isRegularFile(place)) {
                try (JarFile jar = new JarFile(place.toFile())) {
                    for (Enumeration<?> each = jar.entries(); each.hasMoreElements();) {
                        add(each.nextElement().toString(), found);
                    }
                }
            }
        }

        private static void add(String file, TreeSet<String> found) {
            if (file.endsWith(".class") && !file.contains("-") && found.size() < MOST_NAMES) {
                found.add(file.substring(0, file.length() - 6).replace('/', '.').replace('\\', '.'));
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found != null) {
                return found;
            }
            byte[] bytes = changed.get(name);
            if (bytes != null) {
                return defineClass(name, bytes, 0, bytes.length);
            }
            for (String prefix : SHARED) {
                if (name.startsWith(prefix)) {
                    return World.class.getClassLoader().loadClass(name);
                }
            }
            bytes = name.startsWith("java.") ? null : library.bytes(name);
            return bytes == null ? getParent().loadClass(name) : defineClass(name, bytes, 0, bytes.length);
        }
    }

    @Override
    public URL getResource(String name) {
        URL found = library.resource(name);
        return found == null ? getParent().getResource(name) : found;
    }

    /** Whether a class is the project's, not the platform's. */
    boolean owns(Class<?> type) {
        return type.getClassLoader() == this;
    }

    boolean owns(String name) {
        return findLoadedClass(name) != null && findLoadedClass(name).getClassLoader() == this;
    }

    /** A type by the name that `Class.getName` gives. */
    Class<?> type(String name) throws ClassNotFoundException {
        Class<?> primitive = PRIMITIVES.get(name);
        return primitive == null ? Class.forName(name, false, this) : primitive;
    }

    /** A method or constructor by owner, name and the names of its parameters' types. */
    Executable executable(String owner, String name, String[] types) throws ReflectiveOperationException {
        String key = owner + "#" + name + Arrays.toString(types);
        Executable found = known.get(key);
        if (found == null) {
            Class<?>[] parameters = new Class<?>[types.length];
            for (int i = 0; i < types.length; i++) {
                parameters[i] = type(types[i]);
            }
            found = find(type(owner), name, parameters);
            open(found);
            known.put(key, found);
        }
        return found;
    }

    private static Executable find(Class<?> owner, String name, Class<?>[] types) throws NoSuchMethodException {
        if (name.equals(CONSTRUCTOR)) {
            return owner.getDeclaredConstructor(types);
        }
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isBridge()
                        && Arrays.equals(method.getParameterTypes(), types)) {
                    return method;
                }
            }
        }
        return owner.getMethod(name, types); // of an interface
    }

    /** What the platform does not open stays as it is. */
    static void open(java.lang.reflect.AccessibleObject member) {
        try {
            member.setAccessible(true);
        } catch (RuntimeException closed) {
            return;
        }
    }

    static Object invoke(Executable member, Object receiver, Object[] values) throws Exception {
        return member instanceof Constructor
                ? ((Constructor<?>) member).newInstance(values)
                : ((Method) member).invoke(receiver, values);
    }

    Library library() {
        return library;
    }
}
