package equimut_;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** What a test in the package of the class under test may name. */
final class Access {
    private final String home;

    Access(String home) {
        this.home = home;
    }

    boolean to(Class<?> type) {
        if (type.isPrimitive()) {
            return true;
        }
        if (type.isArray()) {
            return to(type.getComponentType());
        }
        if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic() || type.getName().contains("/")) {
            return false;
        }
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            if (!visible(each.getModifiers(), each)) {
                return false;
            }
        }
        return type.getModule().isExported(type.getPackageName());
    }

    boolean to(Member member) {
        Class<?> owner = member.getDeclaringClass();
        return !member.isSynthetic() && visible(member.getModifiers(), owner) && to(owner);
    }

    boolean to(Executable executable) {
        for (Class<?> type : executable.getParameterTypes()) {
            if (!to(type)) {
                return false;
            }
        }
        if (executable instanceof Constructor && isInner(executable.getDeclaringClass())) {
            return false;
        }
        return to((Member) executable);
    }

    /** An inner class, whose objects need one of the class around it. */
    static boolean isInner(Class<?> type) {
        return type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
    }

    private boolean visible(int modifiers, Class<?> owner) {
        if (Modifier.isPublic(modifiers)) {
            return true;
        }
        return !Modifier.isPrivate(modifiers) && owner.getPackageName().equals(home);
    }

    static boolean isStatic(Member member) {
        return Modifier.isStatic(member.getModifiers());
    }

    /** Whether a call of this name with as many arguments may mean several methods. */
    static boolean overloaded(Executable executable) {
        Class<?> owner = executable.getDeclaringClass();
        int same = 0;
        if (executable instanceof Constructor) {
            for (Constructor<?> each : owner.getDeclaredConstructors()) {
                same += each.getParameterCount() == executable.getParameterCount() ? 1 : 0;
            }
            return same > 1;
        }
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            for (Method each : type.getDeclaredMethods()) {
                boolean alike = each.getName().equals(executable.getName()) && !each.isBridge();
                same += alike && each.getParameterCount() == executable.getParameterCount() ? 1 : 0;
            }
        }
        return same > 1;
    }

    static String[] names(Class<?>[] types) {
        String[] names = new String[types.length];
        for (int i = 0; i < types.length; i++) {
            names[i] = types[i].getName();
        }
        return names;
    }
}
