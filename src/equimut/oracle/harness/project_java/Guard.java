package equimut_;

import java.io.FileDescriptor;
import java.security.Permission;

/** Keeps the code under test from ending the machine, starting programs, and changing files elsewhere. */
@SuppressWarnings("removal") // where a later Java has none, files are not given to the code at all
final class Guard extends SecurityManager {
    private static boolean standing;
    /** Whether the code under test met the guard since it was last asked. */
    static volatile boolean met;
    /** Whether code under test is running now: the harness and its compiler may do more. */
    static volatile boolean awake;
    private static volatile boolean leaving;
    private final String home;

    private Guard(String home) {
        this.home = home;
    }

    static boolean stands() {
        return standing;
    }

    /** From here on files are changed in one directory only. */
    static void post(String home) {
        try {
            System.setSecurityManager(new Guard(home));
            standing = true;
        } catch (UnsupportedOperationException none) {
            standing = false;
        }
    }

    /** Ends the machine at once, exit handlers of the code under test left out. */
    static void halt(int code) {
        leaving = true;
        Runtime.getRuntime().halt(code);
    }

    private static void refuse(String what) {
        if (!awake) {
            return;
        }
        met = true;
        throw new SecurityException("not in a test run: " + what);
    }

    @Override
    public void checkPermission(Permission permission) {
        if (permission.getName().equals("setSecurityManager") || !leaving && permission.getName().startsWith("exitVM")) {
            refuse(permission.getName());
        }
    }

    @Override
    public void checkPermission(Permission permission, Object context) {
        checkPermission(permission);
    }

    @Override
    public void checkExit(int status) {
        if (!leaving) {
            refuse("exit");
        }
    }

    @Override
    public void checkExec(String command) {
        refuse(command);
    }

    @Override
    public void checkConnect(String host, int port) {
        refuse(host);
    }

    @Override
    public void checkListen(int port) {
        refuse("listen");
    }

    @Override
    public void checkWrite(FileDescriptor descriptor) {}

    @Override
    public void checkWrite(String file) {
        inside(file);
    }

    @Override
    public void checkDelete(String file) {
        inside(file);
    }

    private void inside(String file) {
        String full = new java.io.File(file).getAbsolutePath();
        if (!full.startsWith(home) || full.contains("..")) {
            refuse(file);
        }
    }
}
